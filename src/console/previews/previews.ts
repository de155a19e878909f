import { ApiError } from '../../platform/http/errors/errors.ts'
import type { ShareLimiter } from '../../platform/database/share-limiter.ts'
import { createThreadPool } from '../../platform/threads/thread-pool.ts'
import type * as previewThread from './preview-thread.ts'
import type { Refused } from './preview-thread.ts'

/** Examples and previews that a process runs concurrently, each in a thread, one for each company. */
const previewsRunningMax = 2
/** Waiting ones of one company; a further one is 503. */
const companyPreviewsWaitingMax = 4
/** How long one may take, including the start of its thread, in milliseconds. Then it is 503. */
export const previewThreadMsMax = 10_000
/** The heap of such a thread, for objects; rows and contents are outside it. Beyond it the call is 413. */
const previewResourceLimits = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 512 }

type PreviewModule = typeof previewThread
type PreviewFunction = keyof PreviewModule

/** Reads examples and computes previews in worker threads, which have no database connection. */
export interface Previews {
  /** Runs work when it is the company's turn. @throws OverloadedError if that takes too long */
  inTurn: ShareLimiter
  /**
   * Calls a function of `preview-thread.ts`. The moved bytes cannot be used afterwards.
   *
   * @throws ApiError with what is wrong with the body
   */
  run<Name extends PreviewFunction>(
    name: Name,
    task: Parameters<PreviewModule[Name]>[0],
    moved: readonly Uint8Array[],
  ): Promise<Exclude<ReturnType<PreviewModule[Name]>, Refused>>
  close(): Promise<void>
}

export function createPreviews(): Previews {
  const threads = createThreadPool<PreviewModule>(new URL('preview-thread.ts', import.meta.url), {
    threadsMax: previewsRunningMax,
    companyWaitingMax: companyPreviewsWaitingMax,
    msMax: previewThreadMsMax,
    resourceLimits: previewResourceLimits,
  })
  return {
    inTurn: threads.inTurn,
    close: () => threads.close(),
    run: async (name, task, moved) => {
      const answer = (await threads.run(name, task as never, moved).catch((error: unknown) => {
        if ((error as { code?: unknown }).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
        throw new ApiError('too_large', 'It takes more memory than a preview has; use fewer rows.')
      })) as object
      if (!('refused' in answer)) return answer as never
      const { code, message, field, details } = (answer as Refused).refused
      throw new ApiError(code, message, { field, ...(details === undefined ? {} : { details }) })
    },
  }
}
