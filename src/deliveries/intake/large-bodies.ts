import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import type { StoredPayload } from './canonical-sha256.ts'
import type { BodyTask, ReadAnswer, ReadDocumentTask, ReadTask } from './body-thread.ts'
import type { ReadDelivery } from './delivery.ts'
import { DeliveryError } from './delivery-error.ts'
import { OverloadedError } from '../../database/overloaded-error.ts'

export interface LargeBodies {
  /**
   * Parses a large body in a worker thread. The body must own its whole buffer, which is detached afterwards. Returns
   * the delivery, or the body itself if it names another shape version than the given one. Throws a `DeliveryError`, or
   * an `OverloadedError` if too many bodies wait.
   */
  read(
    task: Omit<ReadTask, 'task'>,
  ): Promise<{ delivery: ReadDelivery } | { shapeVersion: number; body: Uint8Array }>
  /** The same for a document, whose shape version is known. */
  readDocument(task: Omit<ReadDocumentTask, 'task'>): Promise<ReadDelivery>
  /** SHA-256 of a body that is not parsed any further, in a worker thread. Detaches the body, as above. */
  receivedSha256(body: Uint8Array): Promise<Uint8Array>
  /** `payloadSha256` in a worker thread. */
  payloadSha256(payload: StoredPayload): Promise<Uint8Array>
  close(): Promise<void>
}

/** Bodies that wait for a thread: they hold their bytes in memory. */
export const waitingMax = 256
const idleMs = 60_000

/** Threads start with the first large body and end when there has been none for a while. */
export function createLargeBodies(): LargeBodies {
  let threads: Piscina | undefined
  const start = (): Piscina =>
    (threads ??= new Piscina({
      filename: new URL('body-thread.ts', import.meta.url).href,
      minThreads: 0,
      maxThreads: Math.max(1, availableParallelism() - 1),
      idleTimeout: idleMs,
      maxQueue: waitingMax,
      recordTiming: false,
    }))
  const run = async <Answer>(task: BodyTask, transferList: ArrayBuffer[]): Promise<Answer> => {
    const pool = start()
    if (pool.queueSize >= waitingMax) throw new OverloadedError('too many large bodies wait')
    return (await pool.run(task, { transferList: transferList as never })) as Answer
  }
  const read = async (
    task: ReadTask | ReadDocumentTask,
  ): Promise<Exclude<ReadAnswer, { outcome: 'refused' }>> => {
    const answer = await run<ReadAnswer>(task, [task.body.buffer as ArrayBuffer])
    if (answer.outcome === 'refused') throw new DeliveryError(answer.message, answer.field, answer.sent)
    return answer
  }

  return {
    read: async (task) => {
      const answer = await read({ task: 'read', ...task })
      if (answer.outcome === 'read') return { delivery: answer.delivery }
      return { shapeVersion: answer.shapeVersion, body: answer.body }
    },
    readDocument: async (task) => {
      const answer = await read({ task: 'read_document', ...task })
      if (answer.outcome === 'read') return answer.delivery
      throw new Error('a document is written against the version that it was sent with')
    },
    receivedSha256: (body) => run({ task: 'received_sha256', body }, [body.buffer as ArrayBuffer]),
    payloadSha256: (payload) => run({ task: 'payload_sha256', payload }, []),
    close: async () => threads?.destroy(),
  }
}
