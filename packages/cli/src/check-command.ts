import { type Command, InvalidArgumentError } from 'commander'
import type { CheckReport, FilePart, PushFileOptions } from 'numera-client'
import { exitCodes } from './exit-code.ts'
import { keyOfFile } from './file-key.ts'
import { addScope, given, onRun, type ScopeOptions, type Session } from './session.ts'
import { formatTable, printable, toSnakeCase } from './table.ts'

export interface FileOptions extends ScopeOptions {
  key?: string
  shapeVersion?: number
  format?: Exclude<PushFileOptions['format'], undefined>
  allowSplit?: true
}

export function parseCount(text: string): number {
  if (!/^[1-9][0-9]{0,5}$/.test(text)) throw new InvalidArgumentError('It is not a whole number from 1.')
  return Number(text)
}

export const addFileOptions = (command: Command): Command =>
  addScope(command)
    .option('--key <key>', 'the idempotency key; from the name and content of the file by default')
    .option(
      '--shape-version <n>',
      'the version of the source’s fields; the current one by default',
      parseCount,
    )
    .option('--format <format>', 'csv, json, json_lines or sie; found from the first bytes by default')
    .option(
      '--allow-split',
      'let a large file of statements be cut, so that later parts replace earlier ones',
    )

export async function toFileOptions(
  session: Session,
  options: FileOptions,
  path: string,
): Promise<PushFileOptions> {
  const { key, shapeVersion, format, allowSplit } = options
  return {
    ...session.toScope(options),
    // A derived key has the content's hash, so an instant in the file's name is harmless.
    ...(key === undefined ? { key: await keyOfFile(path), unsafeKey: true } : { key }),
    ...given({ shapeVersion, format, allowSplit }),
  }
}

type CheckedPart = CheckReport & FilePart

/** Whether everything in the part would count. */
export const isWhole = ({ outcome, state, rowsRefused }: CheckReport): boolean =>
  outcome !== 'refused' && state !== 'unreadable' && (rowsRefused ?? 0) === 0

export function defineCheck(command: Command, session: Session): void {
  addFileOptions(command.argument('<file>'))
  onRun<FileOptions>(command, session, async (options, file) => {
    const { numera } = await session.connect(options)
    const parts: CheckedPart[] = []
    for await (const part of numera.checkFile(file!, await toFileOptions(session, options, file!))) {
      parts.push(part)
      if (session.isJson) session.print(toSnakeCase(part), '')
    }
    if (!session.isJson) session.print(undefined, describe(parts))
    if (!parts.every(isWhole)) {
      const isRefused = parts.some(({ outcome }) => outcome === 'refused')
      session.exitCode = isRefused ? exitCodes.refused : exitCodes.rowsRefused
    }
  })
}

function describe(parts: readonly CheckedPart[]): string {
  const rows = parts.map(({ part, outcome, ...report }) => ({
    part,
    outcome: report.state === 'unreadable' ? 'unreadable' : outcome,
    accepted: report.rowsAccepted,
    refused: report.rowsRefused,
    dates_alone: report.rowsDateAlone,
    dropped_keys: report.droppedKeys,
  }))
  const columns = ['part', 'outcome', 'accepted', 'refused', 'dates_alone', 'dropped_keys']
  const refusals = parts.flatMap((part) => part.refusals.map((refusal) => ({ part: part.part, ...refusal })))
  const notes = parts.flatMap(({ part, refusal, reason, missingValues }) => [
    ...(refusal
      ? [`Part ${part} would get ${refusal.status} ${refusal.code}: ${printable(refusal.message)}`]
      : []),
    ...(reason === null ? [] : [`Part ${part} has no rows: ${printable(reason)}`]),
    ...(missingValues ?? []).map(
      ({ metric, field, rows }) =>
        `${rows} rows of part ${part} have no ${printable(field)} and add nothing to ${printable(metric)}.`,
    ),
  ])
  const listed =
    refusals.length > 0 && formatTable(['part', 'row', 'line', 'field', 'code', 'reason'], refusals, '')
  return [formatTable(columns, rows, ''), ...notes, listed].filter(Boolean).join('\n\n')
}
