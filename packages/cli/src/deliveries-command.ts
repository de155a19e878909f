import { type Command, InvalidArgumentError } from 'commander'
import type { DeliveryQuery, Numera } from 'numera-client'
import { addScope, given, onRun, readPatienceMs, type ScopeOptions, type Session } from './session.ts'
import { formatFields, formatTable, printable, toSnakeCase } from './table.ts'

interface DeliveriesOptions extends ScopeOptions {
  follow?: true
  after?: string
  state?: NonNullable<DeliveryQuery['state']>
}

function parseState(text: string): string {
  if (/^(queued|parsed|unreadable)$/.test(text)) return text
  throw new InvalidArgumentError('It is queued, parsed or unreadable.')
}

/** The longest that the service holds an answer. */
const waitSeconds = 20
const pageLimit = 100

export function defineDeliveries(command: Command, session: Session): void {
  addScope(command.argument('[artifact_id]', 'one delivery, with its refused rows'))
    .option('--follow', 'show new ones and outcomes as they come, until Ctrl-C')
    .option('--after <cursor>', 'read on from the cursor that a run before ended with')
    .option('--state <state>', 'queued, parsed or unreadable', parseState)
    .addHelpText('after', '\nOldest first; with --follow, without --after, only what is new.')
  onRun<DeliveriesOptions>(command, session, async (options, artifactId) => {
    const giveUpAfterMs = options.follow ? Number.POSITIVE_INFINITY : readPatienceMs
    const { numera } = await session.connect(options, { giveUpAfterMs })
    if (artifactId !== undefined) return showOne(session, numera, options, artifactId)
    await list(session, numera, options)
  })
}

async function showOne(
  session: Session,
  numera: Numera,
  options: ScopeOptions,
  artifactId: string,
): Promise<void> {
  const report = await numera.delivery(artifactId, session.toScope(options)).report()
  const { refusals, farAhead, missingValues, ...fields } = report
  const tables = [
    formatFields(toSnakeCase(fields) as object),
    refusals.length > 0 && formatTable(['row', 'line', 'field', 'code', 'reason'], refusals, ''),
    missingValues?.length && formatTable(['metric', 'field', 'rows'], missingValues, ''),
    farAhead.length > 0 && formatTable(['row', 'line', 'day'], farAhead, ''),
  ]
  session.print(toSnakeCase(report), tables.filter(Boolean).join('\n\n'))
}

/** Columns of fixed width, since what follows is not known. */
const toLine = (cells: readonly string[]): string =>
  [24, 36, 10, 8, 7].map((width, at) => (cells[at] ?? '').padEnd(width)).join('  ') + `  ${cells[5] ?? ''}`

const head = ['received_at', 'artifact_id', 'state', 'accepted', 'refused', 'reason']

async function list(session: Session, numera: Numera, options: DeliveriesOptions): Promise<void> {
  const { signal } = session.io
  const { follow, state } = options
  const fixed = { ...session.toScope(options), ...given({ state }), limit: pageLimit }
  let after = options.after ?? (follow ? 'now' : undefined)
  if (!session.isJson) session.print(undefined, toLine(head).trimEnd())
  for (;;) {
    const wait = follow && after !== 'now' ? { waitSeconds } : {}
    const page = await numera
      .deliveries({ ...fixed, ...wait, ...given({ after }) })
      .catch((error: unknown) => {
        if (follow && signal.aborted) return undefined
        throw error
      })
    if (page === undefined) break
    for (const delivery of page.deliveries) {
      const { receivedAt, artifactId, rowsAccepted, rowsRefused, reason } = delivery
      const counts = [rowsAccepted, rowsRefused].map((count) => (count === null ? '-' : `${count}`))
      const cells = [receivedAt, artifactId, delivery.state, ...counts, printable(reason ?? '')]
      session.print(toSnakeCase(delivery), toLine(cells).trimEnd())
    }
    after = page.cursor
    if (!follow && !page.more) break
  }
  if (!session.isJson && after !== undefined) session.note(`Read on with: --after ${after}`)
}
