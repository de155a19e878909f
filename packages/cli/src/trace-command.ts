import type { Command } from 'commander'
import type { TracedDelivery } from 'numera-client'
import { type CellOptions, addCell } from './samples-command.ts'
import { onRun, readPatienceMs, type Session } from './session.ts'
import { formatFields, formatTable, toSnakeCase } from './table.ts'

interface TraceOptions extends CellOptions {
  metric: string
  period: string
}

export function defineTrace(command: Command, session: Session): void {
  addCell(command)
    .requiredOption('--metric <name>', 'the metric')
    .requiredOption('--period <day>', 'the period_start of the sample')
    .addHelpText('after', '\nName all labels of the sample.')
  onRun<TraceOptions>(command, session, async (options) => {
    const { numera } = await session.connect(options, { giveUpAfterMs: readPatienceMs })
    const query = {
      ...session.toScope(options),
      metric: options.metric,
      periodStart: options.period,
      labels: options.label ?? {},
    }
    let page = await numera.trace(query)
    const deliveries: TracedDelivery[] = [...page.deliveries]
    while (page.nextCursor !== null) {
      page = await numera.trace({ ...query, cursor: page.nextCursor })
      deliveries.push(...page.deliveries)
    }
    const { deliveries: _, nextCursor: __, ...sample } = page
    const columns = ['receivedAt', 'artifactId', 'value', 'step', 'running', 'rows', 'superseded']
    session.print(
      toSnakeCase({ ...sample, deliveries }),
      `${formatFields(toSnakeCase(sample) as object)}\n\n${formatTable(columns, deliveries, 'No delivery says anything about it.')}`,
    )
  })
}
