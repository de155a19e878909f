import { Option, type Command } from 'commander'
import type { LoggedDelivery } from '../../console/deliveries/logged-delivery.ts'
import {
  readDeliveryFilter,
  type DeliveryFilterQuery,
} from '../../console/deliveries/search/delivery-filter.ts'
import { listDeliveries } from '../../console/deliveries/search/list-deliveries.ts'
import { showDeliveryInFull } from '../../console/deliveries/show-delivery-in-full.ts'
import { addCompanyCommand, type CommandAnswer, type CompanyCommandContext } from './add-command.ts'
import { parseId, parseWholeNumber } from './read-input.ts'
import { formatFields, formatTable } from './table.ts'

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

/** The latest deliveries that match the filter. */
async function listLatest(
  context: CompanyCommandContext,
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

type ListOptions = DeliveryFilterQuery & { limit: number }

function addListOptions(command: Command): Command {
  return command
    .option('--source <id>', 'of this source', parseId)
    .addOption(
      new Option('--state <state>', 'in this state; refused: with refused rows').choices([
        'queued',
        'parsed',
        'unreadable',
        'refused',
      ]),
    )
    .addOption(new Option('--channel <channel>', 'that arrived by it').choices(['push', 'webhook']))
    .addOption(new Option('--sandbox <boolean>', 'test deliveries or not').choices(['true', 'false']))
    .option('--from <moment>', 'received from then on: a day of the company, or an instant')
    .option('--to <moment>', 'received before then')
    .option('--search <text>', 'an artifact_id, or the beginning of a key')
    .option('--limit <number>', 'the most to list', parseWholeNumber, 50)
}

/** A table below the fields of a delivery, where it has rows. */
function tableBelow(columns: readonly string[], rows: readonly object[]): string {
  return rows.length === 0 ? '' : `\n\n${formatTable(columns, rows, '')}`
}

async function show(
  context: CompanyCommandContext,
  companyId: string,
  artifactId: string,
): Promise<CommandAnswer> {
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
  const delivery = program.command('delivery').description('list and show deliveries')
  addCompanyCommand<ListOptions>(
    delivery,
    {
      name: 'list',
      description: "list the deliveries to a company's sources, the latest first",
      example: '--state unreadable',
      options: addListOptions,
    },
    async (context, { companyId, timeZone }, { limit, ...query }) => {
      const json = await listLatest(context, companyId, query, timeZone, Math.max(1, limit))
      const text = formatTable(listColumns, json.deliveries, 'There is no such delivery.')
      return { json, text: json.more ? `${text}\nThere are more: see --limit.` : text }
    },
  )
  addCompanyCommand<{ delivery: string }>(
    delivery,
    {
      name: 'show',
      description: 'show a delivery and its first refused rows',
      example: '--delivery 0198…',
      options: (command) => command.requiredOption('--delivery <id>', 'its artifact_id', parseId),
    },
    async (context, { companyId }, options) => show(context, companyId, options.delivery),
  )
}
