import type { Queue } from '../../backlog/queues.ts'

/** The messages between a worker's thread and the main thread. */

export interface WorkerThreadData {
  databaseUrl: string
  pollIntervalMs: number
  /** Which of the process's workers it is: 0 parses small deliveries only (`worker-signal.ts`). */
  index: number
  /** The queues that it serves. */
  queues: readonly Queue[]
  /** `WorkerSignal`'s memory. */
  signal: SharedArrayBuffer
  /** The process's clock, if threads share it; otherwise the machine's is used. */
  clockShift: SharedArrayBuffer | undefined
}

export type ToWorker = 'wake' | 'stop'

export type FromWorker =
  | {
      kind: 'round'
      deliveries: number
      rowsRead: number
      rowsRefused: number
      cellsAdded: number
      durationMs: number
      isFull: boolean
    }
  /** `oldestMs` is when a queue's oldest waiting delivery was queued, milliseconds since 1970; null when none waits. */
  | { kind: 'backlog'; queues: { queue: Queue; deliveries: number; oldestMs: number | null }[] }
  | { kind: 'log'; level: 'info' | 'warn' | 'error'; details: object; message: string }
