import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Tells that the service could not listen, before a year of numbers is made for it.
 *
 * @param remedy how to choose another port
 * @throws Error that names the port and the remedy
 */
export async function requireFreePort(host: string, port: number, remedy: string): Promise<void> {
  const server = createServer().listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new Error(`Port ${port} of ${host} is in use: ${remedy}.`, { cause: error })
  }
  server.close()
  await once(server, 'close')
}
