import type { AppContext } from '../app-context.ts'
import type { Context } from '../../context.ts'
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
import { addCommand, namedCompany, type CommandAnswer } from './add-command.ts'
import { OperatorError } from './operator-error.ts'
import { parseId } from './read-input.ts'

interface RebuildOptions {
  check?: true
  company?: string
  source?: string
}

/** The sources of one shard. */
interface RebuiltSources {
  sources: object[]
  lines: string[]
  /** How many of them differ. */
  different: number
}

function side(value: string | null, eventAt: string | null, artifactId: string | null): string {
  return `${value ?? 'none'}${eventAt === null ? '' : ` at ${eventAt}`} from ${artifactId ?? 'nothing'}`
}

function differenceLine(difference: ProjectionDifference): string {
  return [
    `  ${difference.metric}  ${difference.period_start}  ${difference.labels}${difference.sandbox ? '  test' : ''}`,
    `    current: ${side(difference.current_value, difference.current_event_at, difference.current_artifact_id)}`,
    `    rebuilt: ${side(difference.rebuilt_value, difference.rebuilt_event_at, difference.rebuilt_artifact_id)}`,
  ].join('\n')
}

async function check(
  context: Context,
  worker: ProjectionWorker,
  sources: SourceToCompare[],
): Promise<RebuiltSources> {
  const compared = []
  const lines: string[] = []
  let different = 0
  for (const source of sources) {
    const { pool } = worker
    const { differences, inOneProjectionOnly } = await compareProjections(
      { pool, shard: context.shard, clock: context.clock, work: worker.work },
      source,
    )
    compared.push({
      source_id: source.source_id,
      differences,
      deliveries_in_one_projection_only: inOneProjectionOnly,
    })
    if (differences.length === 0 && inOneProjectionOnly === 0) continue
    different++
    lines.push(
      `${source.source_id}: ${differences.length} samples differ, ${inOneProjectionOnly} deliveries are in one projection only`,
    )
    lines.push(...differences.map(differenceLine))
  }
  return { sources: compared, lines, different }
}

async function rebuild(
  context: Context,
  worker: ProjectionWorker,
  sources: SourceToCompare[],
): Promise<RebuiltSources> {
  for (const { company_id: companyId, source_id: sourceId, shape_version: shapeVersion } of sources) {
    const projectionId = await inTransaction(worker.pool, (client) =>
      beginProjection(context, client, companyId, sourceId, shapeVersion, 'building', context.clock.now()),
    )
    await awaitProjection(worker.pool, { companyId, sourceId, projectionId }, worker.work)
  }
  return { sources: sources.map(({ source_id }) => ({ source_id })), lines: [], different: 0 }
}

/** Rebuilds or compares sources, shard by shard. */
async function rebuildAll(
  context: AppContext,
  act: typeof check,
  companyId: string | null,
  sourceId: string | null,
): Promise<RebuiltSources[]> {
  const shards =
    companyId === null ? await context.shards.list() : [await context.shards.ofCompany(companyId)]
  const answers: RebuiltSources[] = []
  try {
    for (const at of shards) {
      const sources = await sourcesToCompare(at, companyId, sourceId)
      if (sources.length === 0) continue
      const { connectionString } = at.pool.options
      await using worker = openProjectionWorker(connectionString!, at.shard, at.clock, at.log)
      answers.push(await act(at, worker, sources))
    }
    return answers
  } catch (error) {
    if (error instanceof ProjectionStuckError)
      throw new OperatorError(`The rebuild makes no progress: ${error.message}.`, { showsExample: false })
    throw error
  }
}

/** As `rebuild --check` does for all sources. @returns how many there are, and how many differ */
export async function checkRebuild(context: AppContext): Promise<{ sources: number; different: number }> {
  const answers = await rebuildAll(context, check, null, null)
  return {
    sources: answers.reduce((sum, { sources }) => sum + sources.length, 0),
    different: answers.reduce((sum, { different }) => sum + different, 0),
  }
}

/** The answer of the command, over all shards. */
function answerRebuild(answers: readonly RebuiltSources[], checks: boolean): CommandAnswer {
  const sources = answers.flatMap((answer) => answer.sources)
  const different = answers.reduce((sum, answer) => sum + answer.different, 0)
  if (different > 0) process.exitCode = 1
  const summary = `${sources.length} sources rebuilt${checks ? `, ${different} of them differ` : ''}.`
  return { json: { sources }, text: [...answers.flatMap((answer) => answer.lines), summary].join('\n') }
}

/** `rebuild` [fold.change], [fold.events] */
export function addRebuildCommand(program: Command): void {
  addCommand<RebuildOptions>(
    program,
    {
      name: 'rebuild',
      description: 'aggregate all stored deliveries again; with --check only compare',
      example: '--check --company 556016-0680',
      options: (command) =>
        command
          .option(
            '--check',
            'compare with the current samples; exit code 1 where they differ; meanwhile the trial rebuild counts towards the cells of the company',
          )
          .option('--company <orgnr>', 'only the sources of this company')
          .option('--source <source_id>', 'only this source', parseId),
    },
    async (context, { check: checks, company, source }) => {
      const companyId = company === undefined ? null : (await namedCompany(context, company)).companyId
      const answers = await rebuildAll(context, checks ? check : rebuild, companyId, source ?? null)
      const isNamed = company !== undefined || source !== undefined
      if (isNamed && answers.length === 0)
        throw new OperatorError('There is no such source.', { showsExample: false })
      return answerRebuild(answers, checks ?? false)
    },
  )
}
