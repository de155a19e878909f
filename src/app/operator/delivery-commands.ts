import type { AppContext } from '../app-context.ts'
import { Option, type Command } from 'commander'
import type { LoggedDelivery } from '../../console/deliveries/logged-delivery.ts'
import {
  readDeliveryFilter,
  type DeliveryFilterQuery,
} from '../../console/deliveries/search/delivery-filter.ts'
import { listDeliveries } from '../../console/deliveries/search/list-deliveries.ts'
import { showDeliveryInFull } from '../../console/deliveries/show-delivery-in-full.ts'
import { withExample } from './examples.ts'
import { namedCompany } from './named-company.ts'
import { parseId, parseWholeNumber } from './read-input.ts'
import { runCommand, type CommandAnswer } from './run-command.ts'
import { formatFields, formatTable } from './table.ts'

/** Deliveries that are listed where no number is said. */
const listedDefault = 50

const listColumns = [
  'artifact_id',
  'received_at',
  'channel',
  'state',
  'rows_accepted',
  'rows_refused',
  'sandbox',
  'key',
]

/** The latest deliveries that pass the filter, over as many pages as they take. */
async function latest(
  context: AppContext,
  companyId: string,
  query: DeliveryFilterQuery,
  zone: string,
  max: number,
) {
  const filter = readDeliveryFilter(query, zone)
  const deliveries: LoggedDelivery[] = []
  let cursor: string | undefined
  do {
    const limit = Math.min(200, max - deliveries.length)
    const page = await listDeliveries(
      { pool: context.readPool },
      companyId,
      filter,
      cursor === undefined ? { limit } : { limit, cursor },
    )
    deliveries.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined && deliveries.length < max)
  return { deliveries, more: cursor !== undefined }
}

type ListOptions = DeliveryFilterQuery & { company: string; limit: number }

function addListCommand(delivery: Command): void {
  withExample(delivery.command('list'), 'delivery list --company 556016-0680 --state unreadable')
    .description('list what a company’s sources delivered, the latest first')
    .requiredOption('--company <orgnr>', 'the company')
    .option('--source <id>', 'of this source', parseId)
    .addOption(
      new Option('--state <state>', 'in this state; refused: with refused rows').choices([
        'queued',
        'parsed',
        'unreadable',
        'refused',
      ]),
    )
    .addOption(new Option('--channel <channel>', 'that came by it').choices(['push', 'webhook']))
    .addOption(new Option('--sandbox <boolean>', 'test data, or not').choices(['true', 'false']))
    .option('--from <moment>', 'received then or later: a day of the company, or an instant')
    .option('--to <moment>', 'received before then')
    .option('--search <text>', 'an artifact_id, or the beginning of a key')
    .option('--limit <number>', 'at most so many', parseWholeNumber, listedDefault)
    .option('--json', 'answer in JSON')
    .action(async ({ company, limit, ...query }: ListOptions, command: Command) => {
      await runCommand(command, async (context) => {
        const { companyId, timeZone } = await namedCompany(context, company)
        const json = await latest(context, companyId, query, timeZone, Math.max(1, limit))
        const text = formatTable(listColumns, json.deliveries, 'There is no such delivery.')
        return { json, text: json.more ? `${text}\nThere are more: --limit says how many are listed.` : text }
      })
    })
}

/** A table below the fields of a delivery, where it has rows. */
function tableBelow(columns: readonly string[], rows: readonly object[]): string {
  return rows.length === 0 ? '' : `\n\n${formatTable(columns, rows, '')}`
}

async function show(context: AppContext, companyId: string, artifactId: string): Promise<CommandAnswer> {
  const json = await showDeliveryInFull({ pool: context.readPool }, companyId, artifactId)
  const { refusals, missing_values: missing, far_ahead: farAhead, ...fields } = json
  const tables = [
    tableBelow(['row', 'field', 'code', 'reason'], refusals),
    tableBelow(['metric', 'field', 'rows', 'similar_dropped_key'], missing ?? []),
    tableBelow(['row', 'line', 'day'], farAhead),
  ]
  return { json, text: formatFields(fields) + tables.join('') }
}

/** `delivery list`, `delivery show` */
export function addDeliveryCommands(program: Command): void {
  const delivery = program.command('delivery').description('what was delivered, and what became of it')
  addListCommand(delivery)
  withExample(delivery.command('show'), 'delivery show --company 556016-0680 --delivery 0198…')
    .description('show a delivery with its first refused rows')
    .requiredOption('--company <orgnr>', 'the company')
    .requiredOption('--delivery <id>', 'its artifact_id', parseId)
    .option('--json', 'answer in JSON')
    .action(async (options: { company: string; delivery: string }, command: Command) => {
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        return show(context, companyId, options.delivery)
      })
    })
}
