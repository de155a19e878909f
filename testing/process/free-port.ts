import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that Linux gives to outgoing connections and to `listen(0)`, so that none of these takes it before it is used. */
const [least, most] = [20_000, 32_000]

export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = least + Math.floor(Math.random() * (most - least))
    const server = createServer().listen(port, '127.0.0.1')
    try {
      await once(server, 'listening')
    } catch {
      continue
    }
    server.close()
    await once(server, 'close')
    return port
  }
}
