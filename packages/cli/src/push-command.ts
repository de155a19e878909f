import type { Command } from 'commander'
import type { Numera, PartReceipt } from 'numera-client'
import { basename } from 'node:path'
import { addFileOptions, type FileOptions, parseCount, toFileOptions } from './check-command.ts'
import { exitCodes, UsageError } from './exit-code.ts'
import { onRun, type Session } from './session.ts'
import { printable, toSnakeCase } from './table.ts'

export interface PushOptions extends FileOptions {
  watch?: string
  corrected?: true
  round: number
  untilParsed?: true
}

export function definePush(command: Command, session: Session): void {
  addFileOptions(command.argument('[files...]'))
    .option('--until-parsed', 'wait until the rows are counted; exit code 3 where some are refused')
    .option('--watch <folder>', 'send the new files of a folder once they stop growing, until Ctrl-C')
    .option('--corrected', 'send what `refused` wrote, once you have corrected it')
    .option('--round <n>', 'of --corrected: the number of this correction of the file', parseCount, 1)
    .addHelpText('after', '\nInterrupted? Run it again: what was stored is replayed, and counts once.')
  onRun<PushOptions>(command, session, async (options, ...words) => {
    const files = words.flat()
    if (options.watch !== undefined) {
      if (files.length > 0 || options.corrected || options.key) {
        throw new UsageError('--watch takes a folder alone: each file gets its own key.')
      }
      const { watchFolder } = await import('./watch-folder.ts')
      return watchFolder(session, options, options.watch)
    }
    if (files.length === 0) throw new UsageError('Name the files to send.')
    if (files.length > 1 && options.key !== undefined)
      throw new UsageError('--key names one file, not several.')
    const { numera } = await session.connect(options)
    if (options.corrected) {
      const { pushCorrected } = await import('./push-corrected.ts')
      for (const file of files) await pushCorrected(session, numera, options, file)
      return
    }
    const receipts: PartReceipt[] = []
    for (const file of files) receipts.push(...(await pushOne(session, numera, options, file)))
    if (options.untilParsed) await waitUntilParsed(session, numera, options, receipts)
  })
}

/** Parts that are sent at the same time: the next is on its way while one is answered. */
const inFlight = 2

/** Sends a file and prints a line for each part that is stored. */
export async function pushOne(
  session: Session,
  numera: Numera,
  options: FileOptions,
  file: string,
): Promise<PartReceipt[]> {
  const receipts: PartReceipt[] = []
  const progress = new Progress(session, basename(file))
  try {
    const fileOptions = await toFileOptions(session, options, file)
    for await (const receipt of numera.pushFile(file, { ...fileOptions, inFlight })) {
      receipts.push(receipt)
      progress.clear()
      printReceipt(session, file, receipt)
      progress.show(receipt)
    }
  } finally {
    progress.clear()
  }
  const dropped = receipts[0]?.droppedKeys ?? []
  if (dropped.length > 0 && !session.isJson) {
    session.note(`${file}: not declared, and not stored: ${printable(dropped.join(', '))}`)
  }
  return receipts
}

export function printReceipt(session: Session, file: string, receipt: PartReceipt): void {
  const { part, rows, artifactId, replayed, bytesSent, bytesTotal } = receipt
  const isOne = part === 1 && bytesSent === bytesTotal
  const what = `${printable(file)}${isOne ? '' : ` part ${part}`}`
  const count = rows === undefined ? '' : `, ${rows} ${rows === 1 ? 'row' : 'rows'}`
  session.print(
    toSnakeCase({ file, ...receipt }),
    `${what}: ${replayed ? 'was stored before' : 'stored'} as ${artifactId}${count}`,
  )
}

/** How long `--until-parsed` waits for each delivery. */
const parsedMs = 10 * 60_000

async function waitUntilParsed(
  session: Session,
  numera: Numera,
  options: PushOptions,
  receipts: readonly PartReceipt[],
): Promise<void> {
  const { signal } = session.io
  let accepted = 0
  let refused = 0
  for (const { artifactId } of receipts) {
    const delivery = numera.delivery(artifactId, session.toScope(options))
    const report = await delivery.parsed({ timeoutMs: parsedMs, signal })
    accepted += report.rowsAccepted ?? 0
    refused += report.rowsRefused ?? 0
  }
  session.print(
    { rows_accepted: accepted, rows_refused: refused },
    `${accepted} rows count, ${refused} were refused.`,
  )
  if (refused > 0) session.exitCode = exitCodes.rowsRefused
}

/** How far a file is sent, on a terminal alone. */
class Progress {
  readonly #session: Session
  readonly #name: string
  #rows = 0
  #isShown = false

  constructor(session: Session, name: string) {
    this.#session = session
    this.#name = printable(name).slice(0, 40)
  }

  show({ rows, bytesSent, bytesTotal }: PartReceipt): void {
    const { stderr } = this.#session.io
    this.#rows += rows ?? 0
    if (!stderr.isTTY || this.#session.isJson || bytesSent === bytesTotal) return
    const percent = Math.floor((bytesSent / bytesTotal) * 100)
    const megabytes = [bytesSent, bytesTotal].map((bytes) => (bytes / 1e6).toFixed(1)).join(' of ')
    stderr.write(`${this.#name}  ${percent} %  ${megabytes} MB  ${this.#rows} rows`)
    this.#isShown = true
  }

  clear(): void {
    if (this.#isShown) this.#session.io.stderr.write('\r\u001b[2K')
    this.#isShown = false
  }
}
