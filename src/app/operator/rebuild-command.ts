import type { AppContext } from '../app-context.ts'
import type { Command } from 'commander'
import { inTransaction } from '../../platform/database/transaction.ts'
import { awaitProjection, ProjectionStuckError } from '../../engine/projections/await-projection.ts'
import { beginProjection } from '../../engine/projections/begin-projection.ts'
import {
  compareProjections,
  sourcesToCompare,
  type ProjectionDifference,
  type SourceToCompare,
} from '../../engine/projections/compare-projections.ts'
import { openProjectionWorker, type ProjectionWorker } from '../../engine/parsing/worker/projection-worker.ts'
import { withExample } from './examples.ts'
import { namedCompany } from './named-company.ts'
import { OperatorError } from './operator-error.ts'
import { parseId } from './read-input.ts'
import { runCommand, type CommandAnswer } from './run-command.ts'

interface RebuildOptions {
  check?: true
  company?: string
  source?: string
}

function side(value: string | null, eventAt: string | null, artifactId: string | null): string {
  return `${value ?? 'none'}${eventAt === null ? '' : ` at ${eventAt}`} from ${artifactId ?? 'nothing'}`
}

function differenceLine(difference: ProjectionDifference): string {
  return [
    `  ${difference.metric}  ${difference.period_start}  ${difference.labels}${difference.sandbox ? '  test' : ''}`,
    `    read:       ${side(difference.current_value, difference.current_event_at, difference.current_artifact_id)}`,
    `    rebuilt: ${side(difference.anew_value, difference.anew_event_at, difference.anew_artifact_id)}`,
  ].join('\n')
}

async function check(
  context: AppContext,
  worker: ProjectionWorker,
  sources: SourceToCompare[],
): Promise<CommandAnswer> {
  const compared = []
  const lines: string[] = []
  let different = 0
  for (const source of sources) {
    const { pool } = worker
    const { differences, parsedApart } = await compareProjections(
      { pool, clock: context.clock, work: worker.work },
      source,
    )
    compared.push({ source_id: source.source_id, differences, deliveries_read_apart: parsedApart })
    if (differences.length === 0 && parsedApart === 0) continue
    different++
    lines.push(
      `${source.source_id}: ${differences.length} samples differ, ${parsedApart} deliveries are in one projection only`,
    )
    lines.push(...differences.map(differenceLine))
  }
  if (different > 0) process.exitCode = 1
  lines.push(`${sources.length} sources rebuilt, ${different} of them differ.`)
  return { json: { sources: compared }, text: lines.join('\n') }
}

async function rebuild(
  context: AppContext,
  worker: ProjectionWorker,
  sources: SourceToCompare[],
): Promise<CommandAnswer> {
  for (const { company_id: companyId, source_id: sourceId, shape_version: shapeVersion } of sources) {
    const projectionId = await inTransaction(worker.pool, (client) =>
      beginProjection(client, companyId, sourceId, shapeVersion, 'building', context.clock.now()),
    )
    await awaitProjection(worker.pool, { companyId, sourceId, projectionId }, worker.work)
  }
  return {
    json: { sources: sources.map(({ source_id }) => ({ source_id })) },
    text: `${sources.length} sources rebuilt.`,
  }
}

/** `rebuild`: everything that is stored, rebuilt [fold.change], [fold.events]. */
export function addRebuildCommand(program: Command): void {
  withExample(program.command('rebuild'), 'rebuild --check --company 556016-0680')
    .description('rebuild all stored deliveries and read the result, or with --check only compare')
    .option(
      '--check',
      'compare with the samples that are read; exit code 1 where they differ; while it runs, what it aggregates counts as cells of the company',
    )
    .option('--company <orgnr>', 'only the sources of this company')
    .option('--source <source_id>', 'only this source', parseId)
    .option('--json', 'answer in JSON')
    .action(async (options: RebuildOptions, command: Command) => {
      await runCommand(command, async (context) => {
        const company =
          options.company === undefined ? undefined : await namedCompany(context, options.company)
        const sources = await sourcesToCompare(
          context.pool,
          company?.companyId ?? null,
          options.source ?? null,
        )
        if (sources.length === 0) throw new OperatorError('There is no such source.', { showsExample: false })
        await using worker = openProjectionWorker(
          context.pool.options.connectionString!,
          context.clock,
          context.log,
        )
        try {
          return await (options.check ? check : rebuild)(context, worker, sources)
        } catch (error) {
          if (error instanceof ProjectionStuckError)
            throw new OperatorError(`It does not get on: ${error.message}.`, { showsExample: false })
          throw error
        }
      })
    })
}
