import type { Numera } from 'numera-client'
import { access, readFile } from 'node:fs/promises'
import { toFileOptions } from './check-command.ts'
import { findDelimiter, readCsv } from './csv-records.ts'
import { CommandFailure, exitCodes, UsageError } from './exit-code.ts'
import { refusalColumns } from './refused-command.ts'
import { printReceipt, type PushOptions } from './push-command.ts'
import type { Session } from './session.ts'

/**
 * Sends the corrected rows of a file that `refused` wrote, without its columns, under `<key>:corrected-<round>`, once all of them would count.
 *
 * @throws CommandFailure for a source of statements: the delivery would replace the others of its periods
 */
export async function pushCorrected(
  session: Session,
  numera: Numera,
  options: PushOptions,
  file: string,
): Promise<void> {
  const original = file.replace(/\.refused\.csv$/, '')
  if (original === file)
    throw new UsageError(`${file} is not a file that \`refused\` wrote: its name ends with .refused.csv.`)
  if (options.key === undefined) {
    await access(original).catch(() => {
      throw new UsageError(
        `The key comes from ${original}, which is not there. Give that of the file with --key.`,
      )
    })
  }
  const bytes = new TextEncoder().encode(withoutRefusals(await readFile(file, 'utf8'), file))
  const { key, ...fileOptions } = await toFileOptions(session, options, original)
  const sent = {
    ...fileOptions,
    key: `${key}:corrected-${options.round}`,
    format: 'csv' as const,
    unsafeKey: true,
  }
  for await (const { delivers, rowsRefused, refusals } of numera.checkFile(bytes, sent)) {
    if (delivers === 'statements') {
      throw new CommandFailure(
        'The source delivers statements: these rows alone would replace their whole periods. Correct the file and push all of it.',
        exitCodes.refused,
      )
    }
    if ((rowsRefused ?? 0) === 0) continue
    const [{ row, field = '', reason } = { row: 0, reason: '' }] = refusals
    throw new CommandFailure(
      `${rowsRefused} rows would be refused again, so none is sent. The first, row ${row}: ${field} ${reason}`,
      exitCodes.rowsRefused,
    )
  }
  for await (const receipt of numera.pushFile(bytes, sent)) printReceipt(session, file, receipt)
}

function withoutRefusals(text: string, file: string): string {
  const delimiter = findDelimiter(text)
  const lines = Array.from(readCsv(text, delimiter), ({ text: line, ends }) =>
    line.slice((ends[2] ?? line.length) + 1),
  )
  const [head] = readCsv(text, delimiter)
  if (refusalColumns.every((column, at) => head?.cells[at] === column) && lines.length > 1) {
    return lines.map((line) => `${line}\r\n`).join('')
  }
  throw new UsageError(
    `${file} does not begin with the columns ${refusalColumns.join(', ')}, or has no rows.`,
  )
}
