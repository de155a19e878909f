import { Piscina } from 'piscina'
import { OverloadedError } from '../database/overloaded-error.ts'
import { createShareLimiter } from '../database/share-limiter.ts'
import type { ChangedCells } from './changed-cells.ts'
import type { CellsTask, RowsTask } from './content-thread.ts'
import type { ShownRows } from './shown-rows.ts'

/**
 * Deliveries whose content is read for the pages at once, in one process; of one company one. Others wait their turn, and
 * each holds 16 MiB at most.
 */
export const contentsMax = 2

/** How long reading one content may take, in milliseconds; then its thread is ended, and the call is 503. */
export const contentMsMax = 10_000

const idleMs = 60_000

/** Reads stored content away from the event loop, and from the threads that parse what comes in. */
export interface ContentThreads {
  /**
   * Does what fetches a content and reads it, when it is the company's turn.
   *
   * @throws OverloadedError where the turn does not come in time
   */
  inTurn<T>(companyId: string, read: () => Promise<T>): Promise<T>
  /** The content must own its whole buffer, which is gone afterwards. @throws OverloadedError where it takes too long */
  rows(task: Omit<RowsTask, 'task'>): Promise<ShownRows>
  cells(task: Omit<CellsTask, 'task'>): Promise<ChangedCells>
  close(): Promise<void>
}

/** Threads start with the first content and end when none has been looked at for a while. */
export function createContentThreads(): ContentThreads {
  const limit = createShareLimiter({ runningMax: contentsMax, callerRunningMax: 1 })
  let threads: Piscina | undefined
  const start = (): Piscina =>
    (threads ??= new Piscina({
      filename: new URL('content-thread.ts', import.meta.url).href,
      minThreads: 0,
      maxThreads: contentsMax,
      idleTimeout: idleMs,
      recordTiming: false,
    }))
  const run = async <Answer>(task: RowsTask | CellsTask): Promise<Answer> => {
    const ended = AbortSignal.timeout(contentMsMax)
    try {
      const transferList = [task.stored.content.buffer] as never
      return (await start().run(task, { transferList, signal: ended })) as Answer
    } catch (error) {
      if (ended.aborted) throw new OverloadedError('a stored content took too long to read')
      throw error
    }
  }
  return {
    inTurn: limit,
    rows: (task) => run({ task: 'rows', ...task }),
    cells: (task) => run({ task: 'cells', ...task }),
    close: async () => threads?.destroy(),
  }
}
