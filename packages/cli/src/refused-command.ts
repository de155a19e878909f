import type { Command } from 'commander'
import type { DeliveryReport } from 'numera-client'
import { sendParts } from 'numera-client/files'
import { writeFile } from 'node:fs/promises'
import { addFileOptions, type FileOptions, parseCount, toFileOptions } from './check-command.ts'
import { findDelimiter, readCsv } from './csv-records.ts'
import { CommandFailure, exitCodes, UsageError } from './exit-code.ts'
import { onRun, readPatienceMs, type Session } from './session.ts'
import { csvRecord } from './table.ts'

interface RefusedOptions extends FileOptions {
  delivery: string
  part: number
}

/** In front of the columns of the file. */
export const refusalColumns = ['refused_line', 'refused_field', 'refused_reason'] as const

export function defineRefused(command: Command, session: Session): void {
  addFileOptions(command.argument('<file>', 'the CSV file that was sent'))
    .requiredOption('--delivery <id>', 'the artifact_id of the delivery whose rows were refused')
    .option('--part <n>', 'the part of the file that the delivery is, as `push` said', parseCount, 1)
    .addHelpText(
      'after',
      '\nCorrect the rows in <file>.refused.csv, leave the first three columns, and send it: push --corrected <file>.refused.csv',
    )
  onRun<RefusedOptions>(command, session, async (options, file) => {
    const { numera } = await session.connect(options, { giveUpAfterMs: readPatienceMs })
    const report = await numera.delivery(options.delivery, session.toScope(options)).report()
    if (report.state === 'queued')
      throw new CommandFailure('The delivery is not parsed yet.', exitCodes.tryAgain)
    if (report.state === 'unreadable') {
      throw new CommandFailure(`The delivery has no rows to correct: ${report.reason}`, exitCodes.refused)
    }
    const part = await readPart(session, options, file!)
    const written = writeRefused(part, report)
    const path = `${file}.refused.csv`
    if (written.rows > 0) await writeFile(path, written.text, { flag: 'wx', mode: 0o600 })
    session.print(
      { file: written.rows > 0 ? path : null, rows: written.rows, rows_refused: report.rowsRefused },
      written.rows > 0 ? `${path}: ${written.rows} refused rows` : 'No row of this delivery was refused.',
    )
    if (written.rows < (report.rowsRefused ?? 0)) {
      session.note(
        `${report.rowsRefused} rows were refused; the service names the first ${written.rows} of them.`,
      )
    }
  })
}

/** The text of one part of a file, cut as `push` cuts it. Nothing is sent. */
async function readPart(session: Session, options: RefusedOptions, file: string): Promise<string> {
  let text: string | undefined
  const parts = sendParts(
    file,
    { ...(await toFileOptions(session, options, file)), format: 'csv' },
    {
      nowMs: session.io.clock.now(),
      findDelivers: async () => 'events',
      send: async (bytes) => ({ bytes }),
    },
  )
  let count = 0
  for await (const { part, bytes } of parts) {
    count = part
    // The bytes are those of the next part afterwards.
    if (part === options.part) text = new TextDecoder().decode(bytes)
  }
  if (text === undefined) throw new UsageError(`The file has ${count} ${count === 1 ? 'part' : 'parts'}.`)
  if (count > 1 && session.io.stderr.isTTY) session.note(`Part ${options.part} of ${count}.`)
  return text
}

function writeRefused(
  part: string,
  { refusals, rowsAccepted, rowsRefused }: DeliveryReport,
): { text: string; rows: number } {
  const delimiter = findDelimiter(part)
  const [head, ...records] = readCsv(part, delimiter)
  if (!head || records.length !== (rowsAccepted ?? 0) + (rowsRefused ?? 0)) {
    throw new UsageError(
      `The delivery has ${(rowsAccepted ?? 0) + (rowsRefused ?? 0)} rows and the file ${records.length}: it is not what was sent. Name the part with --part.`,
    )
  }
  const lines = [`${refusalColumns.join(delimiter)}${delimiter}${head.text}\r\n`]
  for (const [row, all] of Map.groupBy(refusals, (refusal) => refusal.row)) {
    const fields = all.map(({ field = '' }) => field).filter((field) => field !== '')
    const reasons = all.map(({ reason }) => reason)
    const cells = [`${all[0]!.line ?? row}`, fields.join(' '), reasons.join(' ')]
    lines.push(`${csvRecord(cells, delimiter).trimEnd()}${delimiter}${records[row - 1]!.text}\r\n`)
  }
  return { text: lines.join(''), rows: lines.length - 1 }
}
