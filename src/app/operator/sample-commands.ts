import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Company } from '../../people/companies/company.ts'
import { companyDay } from '../../platform/reads/company-day.ts'
import { readInstant } from '../../platform/reads/read-instant.ts'
import { readDay, readWindow } from '../../platform/reads/read-window.ts'
import { createReadSamples } from '../../engine/samples/read-samples.ts'
import { traceAnswer } from '../../engine/samples/trace-answer.ts'
import { traceSample, type Trace, type TraceRequest } from '../../engine/samples/trace-sample.ts'
import { findSource } from '../../company/sources/show-source.ts'
import { addCompanyCommand, type CommandAnswer, type CompanyCommandContext } from './add-command.ts'
import { everyPage, parseId } from './read-input.ts'
import { formatFields, formatTable } from './table.ts'

/** `--label country=SE`, once for each label. */
function addLabel(text: string, labels: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('It is not a label with its value, such as country=SE.')
  return new Map([...labels, [text.slice(0, at), text.slice(at + 1)]])
}

function addCellOptions(command: Command): Command {
  return command
    .requiredOption('--source <id>', 'the source', parseId)
    .option('--label <name=value>', 'a label and its value; may be repeated', addLabel, new Map())
    .option('--sandbox', 'test samples instead of production samples')
}

interface CellOptions {
  source: string
  label: ReadonlyMap<string, string>
  sandbox?: true
}

interface ListOptions extends CellOptions {
  metric?: string
  from?: string
  to?: string
  asOf?: string
}

/** An answer of `GET /v1/samples`. */
interface SamplesAnswer {
  samples: { labels: Record<string, string> }[]
  truncated: boolean
}

function labelText(labels: Record<string, string>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
}

const sampleColumns = ['period_start', 'metric', 'value', 'labels', 'artifact_id']

async function list(
  context: CompanyCommandContext,
  company: Company,
  options: ListOptions,
): Promise<CommandAnswer> {
  const { companyId, timeZone } = company
  const source = await findSource(context, 'operator', companyId, options.source)
  const today = companyDay(timeZone, context.clock.now())
  const { bytes } = await createReadSamples()((_request, read) => read(context.readPool), {
    companyId,
    sourceId: source.sourceId,
    projectionId: source.projectionId,
    samplesVersion: source.samplesVersion,
    sandbox: options.sandbox ?? false,
    window: readWindow(options.from, options.to, today),
    metric: options.metric,
    labels: options.label,
    asOfMs: options.asOf === undefined ? undefined : readInstant(options.asOf, 'as_of'),
  })
  const json = JSON.parse(bytes.toString()) as SamplesAnswer
  const rows = json.samples.map((sample) => ({ ...sample, labels: labelText(sample.labels) }))
  const table = formatTable(sampleColumns, rows, 'There are no samples in this window.')
  return { json, text: json.truncated ? `${table}\nThere are more: narrow the window.` : table }
}

interface TraceOptions extends CellOptions {
  metric: string
  periodStart: string
}

const tracedColumns = ['artifact_id', 'received_at', 'value', 'rows', 'superseded']

async function trace(
  context: CompanyCommandContext,
  company: Company,
  options: TraceOptions,
): Promise<CommandAnswer> {
  const { companyId } = company
  const { sourceId, projectionId } = await findSource(context, 'operator', companyId, options.source)
  readDay(options.periodStart, 'period_start')
  const cell: TraceRequest = {
    companyId,
    sourceId,
    projectionId,
    sandbox: options.sandbox ?? false,
    metric: options.metric,
    periodStart: options.periodStart,
    labels: options.label,
  }
  let traced: Trace | undefined
  const items = await everyPage(async (page) => {
    traced = await traceSample(context.readPool, { ...cell, ...page })
    return traced.deliveries
  })
  const json = traceAnswer(cell, { ...traced!, deliveries: { items, nextCursor: null } })
  const { deliveries, next_cursor: _, labels, ...fields } = json
  const text = `${formatFields({ ...fields, labels: labelText(labels) })}\n\n${formatTable(tracedColumns, deliveries, '')}`
  return { json, text }
}

/** `sample list`, `sample trace` */
export function addSampleCommands(program: Command): void {
  const sample = program.command('sample').description('list samples and trace them to deliveries')
  addCompanyCommand<ListOptions>(
    sample,
    {
      name: 'list',
      description: 'list samples as apps and systems read them, the latest first',
      example: '--source 0198… --metric revenue --label country=SE',
      options: (command) =>
        addCellOptions(command)
          .option('--metric <name>', 'of this metric')
          .option('--from <day>', 'the first day, such as 2026-01-31')
          .option('--to <day>', 'the day after the last one; through today by default')
          .option('--as-of <instant>', 'as known then, such as 2026-01-31T12:00:00Z'),
    },
    list,
  )
  addCompanyCommand<TraceOptions>(
    sample,
    {
      name: 'trace',
      description: 'show the deliveries behind one sample',
      example: '--source 0198… --metric revenue --period-start 2026-01-31 --label country=SE',
      options: (command) =>
        addCellOptions(command)
          .requiredOption('--metric <name>', 'its metric')
          .addOption(new Option('--period-start <day>', 'the first day of its period').makeOptionMandatory()),
    },
    trace,
  )
}
