import type { ClientBase, Pool } from 'pg'
import { defineStatement } from './define-statement.ts'
import { getConnections, cutAll, type CuttableClient } from './pool.ts'

/**
 * Those of some server processes that have nothing to do for us: what they sent has not come here, or what was sent to
 * them not there. The server hides the sessions of other roles.
 */
const selectWaitingSessions = defineStatement<{ process_id: number }, { processIds: number[] }>(
  'database.select-waiting-sessions',
  `select watched.process_id
   from unnest($processIds::int4[]) as watched (process_id)
   join pg_stat_activity as session on session.pid = watched.process_id
   where session.state like 'idle%' or session.wait_event_type = 'Client'`,
)

const ignore = (): void => {}

/**
 * For a pool whose statements may take long. A connection that waits for an answer is silent when nothing comes over it
 * from one poll to the next. After `silentPollsMax` such polls a query over another connection finds out whether the server
 * is executing the statement; if not, the connection is broken and cut. If that query has no answer for as
 * long, all are cut, since the cause of one broken connection most likely affects all.
 *
 * Polls are counted, not milliseconds: a thread that parses for seconds has not read what has arrived.
 */
export function watchPool(pool: Pool, everyMs: number, silentPollsMax: number): Disposable {
  let isQuerying = false
  /** The connection of the query. */
  let querying: ClientBase | undefined
  const cutBroken = async (silent: readonly CuttableClient[]): Promise<void> => {
    const client = await pool.connect()
    querying = client
    // A client outside the pool has no other listener for a broken socket.
    client.on('error', ignore)
    try {
      const processIds = silent.map(({ processID }) => processID)
      const waiting = await selectWaitingSessions.rows(client, { processIds })
      const idle = new Set(waiting.map((session) => session.process_id))
      // A connection that has received something meanwhile waits for something else.
      const isBroken = ({ silentPolls, processID }: CuttableClient): boolean =>
        silentPolls >= silentPollsMax && idle.has(processID)
      for (const each of silent) if (isBroken(each)) each.cut()
      client.release()
    } catch {
      client.release(true)
    } finally {
      client.off('error', ignore)
      querying = undefined
    }
  }
  const poll = (): void => {
    const silent = [...getConnections(pool)].filter((client) => client.countSilentPoll() >= silentPollsMax)
    if (silent.some((client) => client === querying)) cutAll(pool)
    if (isQuerying) return
    isQuerying = true
    // The next poll retries where no connection can be opened now.
    void cutBroken(silent)
      .catch(ignore)
      .finally(() => (isQuerying = false))
  }
  const timer = setInterval(poll, everyMs)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
