import type { KeyOptions } from './key.ts'

/** Which company and source, where the connection leaves it open, and when to stop. */
export interface Scope {
  sourceId?: string
  orgnr?: string
  signal?: AbortSignal
}

export interface PushOptions extends Scope, KeyOptions {
  /** The id of the event, batch or file (`keyFor`): the same key with the same rows is stored once. */
  key: string
  /** The version of the source's fields that the rows are written for. */
  shapeVersion: number
}

export interface CheckOptions extends Scope {
  /** That of the push, to learn whether it is in use. */
  key?: string
  shapeVersion: number
}
