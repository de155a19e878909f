import { Piscina } from 'piscina'
import { OverloadedError } from '../database/overloaded-error.ts'
import { ApiError } from '../http/errors.ts'
import { createShareLimiter, type ShareLimiter } from '../database/share-limiter.ts'
import type {
  DeliveriesTask,
  ExampleOutcome,
  ExampleTask,
  PreviewOutcome,
  PreviewTask,
  Refused,
  ThreadTask,
} from './preview-thread.ts'

/** Examples and previews of a process that run at once, each in a thread; the next one waits. */
export const previewsRunningMax = 2
/** Those of one company that run at once; its next one waits. */
export const companyPreviewsRunningMax = 1
/** Those of one company that wait; one more is answered 503. */
export const companyPreviewsWaitingMax = 4
/**
 * How long one may take in its thread, the thread's start included, in milliseconds. Then the thread is ended, and it is
 * answered 503.
 */
export const previewThreadMsMax = 10_000
/** The heap of such a thread, for objects: what needs more is 413. Rows and contents are kept outside it. */
export const previewResourceLimits = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 512 }

const idleMs = 60_000

/** Reads examples and makes previews in threads of their own, which write nothing and reach no database. */
export class Previews {
  readonly #limit: ShareLimiter = createShareLimiter({
    runningMax: previewsRunningMax,
    callerRunningMax: companyPreviewsRunningMax,
    callerWaitingMax: companyPreviewsWaitingMax,
  })
  #threads: Piscina | undefined

  /** Does some work of a company when it is its turn. @throws OverloadedError where that does not come in time */
  inTurn<T>(companyId: string, work: () => Promise<T>): Promise<T> {
    return this.#limit(companyId, work)
  }

  /** To be called in turn. The body is gone afterwards. @throws ApiError with what is wrong with it */
  async readExample(task: Omit<ExampleTask, 'task'>): Promise<Exclude<ExampleOutcome, Refused>> {
    return answered(await this.#run<ExampleOutcome>({ task: 'example', ...task }, [task.body]))
  }

  /** The same. */
  async preview(task: Omit<PreviewTask, 'task'>): Promise<Exclude<PreviewOutcome, Refused>> {
    return answered(await this.#run<PreviewOutcome>({ task: 'preview', ...task }, [task.body]))
  }

  /** The same, of stored deliveries, whose contents are gone afterwards. */
  async previewDeliveries(task: Omit<DeliveriesTask, 'task'>): Promise<Exclude<PreviewOutcome, Refused>> {
    const contents = task.stored.deliveries.map(({ content }) => content)
    return answered(await this.#run<PreviewOutcome>({ task: 'deliveries', ...task }, contents))
  }

  async close(): Promise<void> {
    await this.#threads?.destroy()
  }

  async #run<Outcome>(task: ThreadTask, own: Uint8Array[]): Promise<Outcome> {
    // Threads start with the first one and end when none has come for a while.
    this.#threads ??= new Piscina({
      filename: new URL('preview-thread.ts', import.meta.url).href,
      minThreads: 0,
      maxThreads: previewsRunningMax,
      idleTimeout: idleMs,
      recordTiming: false,
      resourceLimits: previewResourceLimits,
    })
    const signal = AbortSignal.timeout(previewThreadMsMax)
    const transferList = own.map(({ buffer }) => buffer) as never
    try {
      return (await this.#threads.run(task, { transferList, signal })) as Outcome
    } catch (error) {
      if (signal.aborted) throw new OverloadedError('a preview took too long')
      if ((error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY') {
        throw new ApiError('too_large', 'It takes more memory than a preview has; use fewer rows.')
      }
      throw error
    }
  }
}

function answered<Outcome extends { outcome: string }>(
  outcome: Outcome | Refused,
): Exclude<Outcome, Refused> {
  if (outcome.outcome !== 'refused') return outcome as Exclude<Outcome, Refused>
  const { code, message, field, details } = outcome as Refused
  throw new ApiError(code, message, { field, ...(details === undefined ? {} : { details }) })
}
