import type { Command } from 'commander'
import { onRun, readPatienceMs, type ScopeOptions, type Session } from './session.ts'
import { formatFields, formatTable, toSnakeCase } from './table.ts'

export function defineSources(command: Command, session: Session): void {
  command
    .argument('[source_id]', 'what this one declares')
    .option('--company <orgnr>', 'the company, where there are several')
  onRun<ScopeOptions>(command, session, async (options, sourceId) => {
    const { numera } = await session.connect(options, { giveUpAfterMs: readPatienceMs })
    const scope = session.toScope(options)
    if (sourceId === undefined) {
      const sources = await Array.fromAsync(numera.sources(scope))
      const columns = ['sourceId', 'name', 'delivers', 'shapeVersion', 'paused']
      return session.printTable(columns, sources, 'There are no sources.')
    }
    const source = await numera.source(sourceId, scope)
    const { fields, metrics, ...about } = source
    const tables = [
      formatFields(toSnakeCase(about) as object),
      formatTable(['name', 'type', 'personal'], fields, ''),
      formatTable(
        ['metric', 'aggregation', 'field', 'times', 'filters', 'groupBy', 'period'],
        metrics,
        'It counts nothing.',
      ),
    ]
    session.print(toSnakeCase(source), tables.join('\n\n'))
  })
}
