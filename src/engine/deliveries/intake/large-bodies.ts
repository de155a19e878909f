import { availableParallelism } from 'node:os'
import type { StoredPayload } from './canonical-sha256.ts'
import type * as bodyThread from './body-thread.ts'
import type { ReadDocumentTask, ReadTask } from './body-thread.ts'
import type { ReadDelivery } from './delivery.ts'
import { DeliveryError } from './delivery-error.ts'
import { createThreadPool } from '../../../platform/threads/thread-pool.ts'

export interface LargeBodies {
  /**
   * Parses a large body in a worker thread. The body must own its whole buffer, which is detached afterwards. Returns
   * the delivery, or the body itself if it names another shape version than the given one.
   *
   * @throws DeliveryError
   * @throws OverloadedError when too many bodies wait
   */
  read(task: ReadTask): Promise<{ delivery: ReadDelivery } | { shapeVersion: number; body: Uint8Array }>
  /** The same for a document, whose shape version is known. */
  readDocument(task: ReadDocumentTask): Promise<ReadDelivery>
  /** SHA-256 of a body that is not parsed any further, in a worker thread. Detaches the body, as above. */
  receivedSha256(body: Uint8Array): Promise<Uint8Array>
  /** `payloadSha256` in a worker thread. */
  payloadSha256(payload: StoredPayload): Promise<Uint8Array>
  close(): Promise<void>
}

/** Bodies that wait for a thread, with their bytes in memory. */
const largeBodyQueueMax = 256

export function createLargeBodies(): LargeBodies {
  const threads = createThreadPool<typeof bodyThread>(new URL('body-thread.ts', import.meta.url), {
    threadsMax: Math.max(1, availableParallelism() - 1),
    waitingMax: largeBodyQueueMax,
  })
  return {
    read: async (task) => {
      const answer = await threads.run('read', task, [task.body])
      if (answer.outcome === 'refused') throw toDeliveryError(answer)
      if (answer.outcome === 'read') return { delivery: answer.delivery }
      return { shapeVersion: answer.shapeVersion, body: answer.body }
    },
    readDocument: async (task) => {
      const answer = await threads.run('readDocument', task, [task.body])
      if (answer.outcome === 'refused') throw toDeliveryError(answer)
      return answer.delivery
    },
    receivedSha256: (body) => threads.run('receivedSha256', body, [body]),
    payloadSha256: (payload) => threads.run('payloadSha256', payload),
    close: () => threads.close(),
  }
}

function toDeliveryError({ message, field, sent }: bodyThread.RefusedBody): DeliveryError {
  return new DeliveryError(message, field, sent)
}
