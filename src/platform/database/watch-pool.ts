import type { ClientBase, Pool } from 'pg'
import { defineStatement } from './define-statement.ts'
import { getConnections, cutAll, type CuttableClient } from './pool.ts'

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

const ignore = (): void => {}

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
  /** Over which the question was sent. */
  let asked: ClientBase | undefined
  const ask = async (silent: readonly CuttableClient[]): Promise<void> => {
    const client = await pool.connect()
    asked = client
    // While a client is out of the pool nobody else listens for its socket breaking.
    client.on('error', ignore)
    try {
      const processIds = silent.map(({ processID }) => processID)
      const waiting = await selectWaitingSessions.rows(client, { processIds })
      const deaf = new Set(waiting.map((session) => session.process_id))
      // What was heard of meanwhile has something else to wait for.
      const isDeaf = ({ silentLooks, processID }: CuttableClient): boolean =>
        silentLooks >= silentLooksMax && deaf.has(processID)
      for (const each of silent) if (isDeaf(each)) each.cut()
      client.release()
    } catch {
      client.release(true)
    } finally {
      client.off('error', ignore)
      asked = undefined
    }
  }
  const look = (): void => {
    const silent = [...getConnections(pool)].filter((client) => client.countSilentLook() >= silentLooksMax)
    if (silent.some((client) => client === asked)) cutAll(pool)
    if (isAsking) return
    isAsking = true
    // Where no connection can be made now, the next look tries again.
    void ask(silent)
      .catch(ignore)
      .finally(() => (isAsking = false))
  }
  const timer = setInterval(look, everyMs)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
