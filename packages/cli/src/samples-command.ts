import { type Command, InvalidArgumentError } from 'commander'
import type { Sample } from 'numera-client'
import { addScope, given, onRun, readPatienceMs, type ScopeOptions, type Session } from './session.ts'
import { csvRecord, formatTable, printable, sparkline, toSnakeCase } from './table.ts'

export interface CellOptions extends ScopeOptions {
  metric?: string
  label?: Record<string, string>
}

interface SamplesOptions extends CellOptions {
  from?: string
  to?: string
  asOf?: string
  csv?: true
}

/** `--label country=SE`, once for each label. */
function addLabel(text: string, labels: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('It is a label with its value, such as country=SE.')
  return { ...labels, [text.slice(0, at)]: text.slice(at + 1) }
}

export const addCell = (command: Command): Command =>
  addScope(command).option('--label <name=value>', 'a label and its value; may be repeated', addLabel)

export function defineSamples(command: Command, session: Session): void {
  addCell(command)
    .option('--metric <name>', 'one metric; all by default')
    .option('--from <day>', 'the first day, YYYY-MM-DD; the latest 731 days by default')
    .option('--to <day>', 'the day after the last')
    .option('--as-of <instant>', 'as it was read at this instant')
    .option('--csv', 'answer in CSV')
  onRun<SamplesOptions>(command, session, async (options) => {
    const { numera } = await session.connect(options, { giveUpAfterMs: readPatienceMs })
    const { metric, label, from, to, asOf } = options
    const query = { ...session.toScope(options), ...given({ metric, labels: label, from, to, asOf }) }
    const samples = numera.samples(query)
    if (session.isJson) for await (const sample of samples) session.print(toSnakeCase(sample), '')
    else if (options.csv) writeCsv(session, await Array.fromAsync(samples))
    else session.print(undefined, describe(await Array.fromAsync(samples)))
  })
}

function writeCsv(session: Session, samples: readonly Sample[]): void {
  const names = Array.from(new Set(samples.flatMap(({ labels }) => Object.keys(labels)))).toSorted()
  const head = ['metric', 'period_start', 'value', 'sandbox', 'artifact_id']
  session.io.stdout.write(csvRecord([...head, ...names.map((name) => `label.${name}`)]))
  for (const { metric, periodStart, value, sandbox, artifactId = '', labels } of samples) {
    const cells = [metric, periodStart, `${value}`, `${sandbox}`, artifactId]
    session.io.stdout.write(csvRecord([...cells, ...names.map((name) => labels[name] ?? '')]))
  }
}

/** A table, with a line of bars above it for each series of a few, oldest first. */
function describe(samples: readonly Sample[]): string {
  const series = Map.groupBy(samples, ({ metric, labels }) =>
    [metric, ...Object.entries(labels).map(([name, value]) => `${name}=${value}`)].join(' '),
  )
  const seriesMax = 12
  const periodsMax = 60
  const lines = Array.from(series)
    .filter(([, all]) => all.length > 1)
    .slice(0, seriesMax)
    .map(([name, all]) => {
      // Rounded for the eye; the table has every digit.
      const heights = all.slice(0, periodsMax).map(({ value }) => Number(value.toString()))
      return `${sparkline(heights.toReversed())}  ${printable(name)}`
    })
  const columns = ['periodStart', 'metric', 'value', 'labels', 'artifactId']
  const table = formatTable(columns, samples, 'There are no samples in this window.')
  return [lines.join('\n'), table].filter(Boolean).join('\n\n')
}
