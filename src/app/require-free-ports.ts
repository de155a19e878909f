import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../platform/config/config.ts'
import { ConfigError } from '../platform/config/config-error.ts'
import { describeListenError, type Listening } from './listen-error.ts'

async function findProblem(listening: Listening): Promise<string | undefined> {
  const server = createServer().listen(listening.port, listening.host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const problem = describeListenError(error, listening)
    if (problem === undefined) throw error
    return problem
  }
  server.close()
  await once(server, 'close')
  return undefined
}

/**
 * Checks that the service can listen on its ports, before a database or a folder is touched for it.
 *
 * @param remedy how to choose another port for the service, where that is not by its variable
 * @throws ConfigError that names each port that cannot be used, its variable, and what to do
 */
export async function requireFreePorts(
  { http, metrics }: Pick<Config, 'http' | 'metrics'>,
  remedy?: string,
): Promise<void> {
  const listenings: Listening[] = [
    { ...http, variable: 'NUMERA_HTTP_PORT', ...(remedy === undefined ? {} : { remedy }) },
  ]
  if (metrics !== undefined) {
    const variable = 'NUMERA_METRICS_PORT'
    listenings.push({
      ...metrics,
      variable,
      remedy: `set ${variable} to another one, or to 0 for no metrics`,
    })
  }
  const problems = await Promise.all(listenings.map(findProblem))
  const found = problems.filter((problem) => problem !== undefined)
  if (found.length > 0) throw new ConfigError(found)
}
