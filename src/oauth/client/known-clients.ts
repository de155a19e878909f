import { LRUCache } from 'lru-cache'
import type { Context } from '../../service/context.ts'
import { createBatcher } from '../../database/batcher.ts'
import { readKnownClients } from './queries.ts'

/** Ids that are remembered; beyond it the one used longest ago is looked up again. */
export const rememberedClientsMax = 10_000

/** Ids that are looked up in one statement; the rest goes with the next. */
export const clientIdsMax = 512
/** Ids that wait to be looked up; a further one is 503. */
export const clientIdQueueMax = 20_000

/** Whether a client id was ever given to an app or a connection, even one that has ended since. */
type IsKnownClient = (clientId: string) => boolean | Promise<boolean>

/**
 * A known id is looked up once, so that apps and connections pay nothing for it. Ids that no client has are looked up
 * each time, all that wait in one statement, and are not remembered.
 */
export function createKnownClients({ pool }: Pick<Context, 'pool'>): IsKnownClient {
  const remembered = new LRUCache<string, true>({ max: rememberedClientsMax })
  const lookUp = createBatcher<string, boolean>({
    itemsMax: clientIdsMax,
    queueMax: clientIdQueueMax,
    run: async (clientIds) => {
      const known = await readKnownClients(pool, [...new Set(clientIds)])
      for (const clientId of known) remembered.set(clientId, true)
      return clientIds.map((clientId) => known.has(clientId))
    },
  })
  return (clientId) => remembered.get(clientId) ?? lookUp.submit(clientId)
}
