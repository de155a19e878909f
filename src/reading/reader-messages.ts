/** What a reader's thread and the main thread tell each other. */

export interface ReaderThreadData {
  databaseUrl: string
  pollIntervalMs: number
  /** Which of the process's readers it is, from 0. */
  index: number
  /** `ReaderSignal`'s memory. */
  signal: SharedArrayBuffer
  /** The process's clock, where threads share it; the machine's otherwise. */
  clockShift: SharedArrayBuffer | undefined
}

export type ToReader = 'wake' | 'stop'

export type FromReader =
  | {
      kind: 'round'
      deliveries: number
      rowsRead: number
      rowsRefused: number
      durationMs: number
      isFull: boolean
    }
  /** `oldestMs` is when the oldest waiting delivery was queued, milliseconds since 1970; null when none waits. */
  | { kind: 'backlog'; deliveries: number; oldestMs: number | null }
  | { kind: 'log'; level: 'info' | 'warn' | 'error'; details: object; message: string }
