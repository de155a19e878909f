import { NumeraError } from './errors.ts'

/** What an outbox itself ended with. */
export class OutboxError extends NumeraError {}
/** The bound or the disk is full, so this delivery was not stored. Those before it are kept. */
export class OutboxFull extends OutboxError {}
/** The file is no outbox, or one that another version of this package wrote. It was not changed. */
export class OutboxVersion extends OutboxError {}
/** The file is truncated or damaged. It was not changed. */
export class OutboxDamaged extends OutboxError {}
/** Another process kept the file locked for ten seconds. */
export class OutboxLocked extends OutboxError {}
/** Another process, or another `run`, sends from this file. */
export class OutboxInUse extends OutboxError {}

/** The low byte of SQLite's result codes (https://sqlite.org/rescode.html), and its error and sentence. */
const byResultCode: Readonly<Record<number, [typeof OutboxError, string]>> = {
  5: [OutboxLocked, 'is locked by another process'],
  6: [OutboxLocked, 'is locked by another process'],
  11: [OutboxDamaged, 'is damaged'],
  13: [OutboxFull, 'cannot grow: the disk is full'],
  26: [OutboxDamaged, 'is damaged, or not an outbox'],
}

/** SQLite's result code of an error; undefined for any other error. */
export function resultCode(error: unknown): number | undefined {
  const { code, errcode } = error as { code?: string; errcode?: number }
  return code === 'ERR_SQLITE_ERROR' ? (errcode ?? 1) & 0xff : undefined
}

/** An error of SQLite as one of the outbox; any other error as it is. */
export function toOutboxError(error: unknown, path: string): unknown {
  const code = resultCode(error)
  if (code === undefined) return error
  const [ErrorOfCode, what] = byResultCode[code] ?? [
    OutboxError,
    `cannot be used: ${(error as Error).message}`,
  ]
  return new ErrorOfCode(`The outbox ${path} ${what}.`, { cause: error })
}
