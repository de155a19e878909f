import type { Command } from 'commander'
import type { Context } from '../service/context.ts'
import { inTransaction } from '../database/transaction.ts'
import { awaitFold, FoldStuckError } from '../projections/await-projection.ts'
import { beginFold } from '../projections/begin-projection.ts'
import {
  compareFolds,
  sourcesToFold,
  type FoldDifference,
  type SourceToFold,
} from '../projections/compare-projections.ts'
import { openFoldWorker, type FoldWorker } from '../projections/projection-worker.ts'
import { namedCompany } from './named-company.ts'
import { OperatorError } from './operator-error.ts'
import { parseId } from './read-input.ts'
import { runCommand, type CommandAnswer } from './run-command.ts'

interface RefoldOptions {
  check?: true
  company?: string
  source?: string
}

const side = (value: string | null, eventAt: string | null, artifactId: string | null): string =>
  `${value ?? 'none'}${eventAt === null ? '' : ` at ${eventAt}`} from ${artifactId ?? 'nothing'}`

const differenceLine = (difference: FoldDifference): string => {
  return [
    `  ${difference.metric}  ${difference.period_start}  ${difference.labels}${difference.sandbox ? '  test' : ''}`,
    `    read:       ${side(difference.current_value, difference.current_event_at, difference.current_artifact_id)}`,
    `    folded anew: ${side(difference.anew_value, difference.anew_event_at, difference.anew_artifact_id)}`,
  ].join('\n')
}

const check = async (
  context: Context,
  worker: FoldWorker,
  sources: SourceToFold[],
): Promise<CommandAnswer> => {
  const compared = []
  const lines: string[] = []
  let different = 0
  for (const source of sources) {
    const { pool } = worker
    const { differences, readApart } = await compareFolds(
      { pool, clock: context.clock, work: worker.work },
      source,
    )
    compared.push({ source_id: source.source_id, differences, deliveries_read_apart: readApart })
    if (differences.length === 0 && readApart === 0) continue
    different++
    lines.push(
      `${source.source_id}: ${differences.length} samples differ, ${readApart} deliveries are in one fold only`,
    )
    lines.push(...differences.map(differenceLine))
  }
  if (different > 0) process.exitCode = 1
  lines.push(`${sources.length} sources folded anew, ${different} of them differ.`)
  return { json: { sources: compared }, text: lines.join('\n') }
}

const refold = async (
  context: Context,
  worker: FoldWorker,
  sources: SourceToFold[],
): Promise<CommandAnswer> => {
  for (const { company_id: companyId, source_id: sourceId, shape_version: shapeVersion } of sources) {
    const foldId = await inTransaction(worker.pool, (client) =>
      beginFold(client, companyId, sourceId, shapeVersion, 'building', context.clock.now()),
    )
    await awaitFold(worker.pool, { companyId, sourceId, foldId }, worker.work)
  }
  return {
    json: { sources: sources.map(({ source_id }) => ({ source_id })) },
    text: `${sources.length} sources folded anew.`,
  }
}

/** `refold`: everything that is stored, folded anew (readings `fold.change`, `fold.events`). */
export const addRefoldCommand = (program: Command): void => {
  program
    .command('refold')
    .description('fold all stored deliveries anew and read the result, or with --check only compare')
    .option(
      '--check',
      'compare with the samples that are read; exit code 1 where they differ; while it runs, what it folds counts as cells of the company',
    )
    .option('--company <orgnr>', 'only the sources of this company')
    .option('--source <source_id>', 'only this source', parseId)
    .option('--json', 'answer in JSON')
    .action(async (options: RefoldOptions, command: Command) => {
      await runCommand(command, async (context) => {
        const company =
          options.company === undefined ? undefined : await namedCompany(context, options.company)
        const sources = await sourcesToFold(context.pool, company?.companyId ?? null, options.source ?? null)
        if (sources.length === 0) throw new OperatorError('There is no such source.')
        await using worker = openFoldWorker(
          context.pool.options.connectionString!,
          context.clock,
          context.log,
        )
        try {
          return await (options.check ? check : refold)(context, worker, sources)
        } catch (error) {
          if (error instanceof FoldStuckError)
            throw new OperatorError(`It does not get on: ${error.message}.`)
          throw error
        }
      })
    })
}
