import type { Pool } from 'pg'
import { defineStatement } from './define-statement.ts'
import { connectionsOf, cutAll, type CuttableClient } from './pool.ts'

/**
 * Those of some server processes that have nothing to do for us: what they sent has not come here, or what was sent to
 * them not there. Of other roles' sessions the server tells nothing.
 */
const selectWaitingSessions = defineStatement<{ process_id: number }, { processIds: number[] }>(
  'database.select-waiting-sessions',
  `select asked.process_id
   from unnest($processIds::int4[]) as asked (process_id)
   join pg_stat_activity as session on session.pid = asked.process_id
   where session.state like 'idle%' or session.wait_event_type = 'Client'`,
)

/**
 * For a pool whose statements may take long. A connection that waits for an answer is silent when nothing comes over it
 * from one look to the next. After `silentLooksMax` such looks the server is asked, over another connection, whether it
 * is at work on the statement; if it is not, the connection is deaf, and cut. If that question has no answer for as
 * long, all are cut, since whatever made one deaf most likely affected all.
 *
 * Looks are counted, and not milliseconds: a thread that parses for seconds has heard nothing of what has come.
 */
export function watchPool(pool: Pool, everyMs: number, silentLooksMax: number): Disposable {
  let isAsking = false
  let looksAsking = 0
  const ask = async (silent: readonly CuttableClient[]): Promise<void> => {
    isAsking = true
    looksAsking = 0
    try {
      const processIds = silent.map((client) => client.processID)
      const waiting = await selectWaitingSessions.rows(pool, { processIds })
      const deaf = new Set(waiting.map((session) => session.process_id))
      // What was heard of meanwhile has something else to wait for.
      for (const client of silent) {
        if (client.silentLooks >= silentLooksMax && deaf.has(client.processID)) client.cut()
      }
    } catch {
      // No one answered: the next look asks again.
    } finally {
      isAsking = false
    }
  }
  const look = (): void => {
    const silent = [...connectionsOf(pool)].filter((client) => client.countSilentLook() >= silentLooksMax)
    if (!isAsking) void ask(silent)
    else if (++looksAsking >= silentLooksMax) cutAll(pool)
  }
  const timer = setInterval(look, everyMs)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
