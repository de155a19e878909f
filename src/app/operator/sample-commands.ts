import type { AppContext } from '../app-context.ts'
import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Company } from '../../people/companies/company.ts'
import { everyPage } from './every-page.ts'
import { companyDay } from '../../platform/reads/company-day.ts'
import { readInstant } from '../../platform/reads/read-instant.ts'
import { readDay, readWindow } from '../../platform/reads/read-window.ts'
import { createReadSamples } from '../../engine/samples/read-samples.ts'
import { traceAnswer } from '../../engine/samples/trace-answer.ts'
import { traceSample, type Trace, type TraceRequest } from '../../engine/samples/trace-sample.ts'
import { findSource } from '../../company/sources/show-source.ts'
import { withExample } from './examples.ts'
import { namedCompany } from './named-company.ts'
import { parseId } from './read-input.ts'
import { runCommand, type CommandAnswer } from './run-command.ts'
import { formatFields, formatTable } from './table.ts'

/** `--label country=SE`, as often as there are labels. */
function addLabel(text: string, labels: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('It is no label with its value, such as country=SE.')
  return new Map([...labels, [text.slice(0, at), text.slice(at + 1)]])
}

/** `--sandbox` and `--label`, for both commands. */
function addCellOptions(command: Command): Command {
  return command
    .option(
      '--label <name=value>',
      'a label with its value; may be given more than once',
      addLabel,
      new Map(),
    )
    .option('--sandbox', 'test samples instead of production’s')
    .option('--json', 'answer in JSON')
}

interface CellOptions {
  company: string
  source: string
  label: ReadonlyMap<string, string>
  sandbox?: true
}

function onSource(command: Command): Command {
  return command
    .requiredOption('--company <orgnr>', 'the company')
    .requiredOption('--source <id>', 'the source', parseId)
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

async function list(context: AppContext, company: Company, options: ListOptions): Promise<CommandAnswer> {
  const { companyId, timeZone } = company
  const source = await findSource(context, 'operator', companyId, options.source)
  const today = companyDay(timeZone, context.clock.now())
  const readSamples = createReadSamples({ pool: context.readPool, limit: (_caller, read) => read() })
  const { bytes } = await readSamples({
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

async function trace(context: AppContext, company: Company, options: TraceOptions): Promise<CommandAnswer> {
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
    traced = await traceSample({ pool: context.readPool }, { ...cell, ...page })
    return traced.deliveries
  })
  const json = traceAnswer(cell, { ...traced!, deliveries: { items, nextCursor: null } })
  const { deliveries, next_cursor: _, labels, ...fields } = json
  const text = `${formatFields({ ...fields, labels: labelText(labels) })}\n\n${formatTable(tracedColumns, deliveries, '')}`
  return { json, text }
}

/** `sample list`, `sample trace` */
export function addSampleCommands(program: Command): void {
  const sample = program.command('sample').description('what is read of a source, and where it comes from')

  const listed = withExample(
    sample.command('list'),
    'sample list --company 556016-0680 --source 0198… --metric revenue --label country=SE',
  ).description('list samples, the latest first, as an app or a system reads them')
  addCellOptions(onSource(listed))
    .option('--metric <name>', 'only of this metric')
    .option('--from <day>', 'the first day, such as 2026-01-31')
    .option('--to <day>', 'the day after the last one; left out: through today')
    .option('--as-of <instant>', 'as they stood then, such as 2026-01-31T12:00:00Z')
    .action(async (options: ListOptions, command: Command) => {
      await runCommand(command, async (context) =>
        list(context, await namedCompany(context, options.company), options),
      )
    })

  const traced = withExample(
    sample.command('trace'),
    'sample trace --company 556016-0680 --source 0198… --metric revenue --period-start 2026-01-31 --label country=SE',
  ).description('show the deliveries behind one sample')
  addCellOptions(onSource(traced))
    .requiredOption('--metric <name>', 'its metric')
    .addOption(new Option('--period-start <day>', 'the first day of its period').makeOptionMandatory())
    .action(async (options: TraceOptions, command: Command) => {
      await runCommand(command, async (context) =>
        trace(context, await namedCompany(context, options.company), options),
      )
    })
}
