import type { DirectoryContext } from '../../context.ts'
import { route, type App } from '../../platform/http/contract.ts'
import { toPageRequest } from '../../platform/http/requests/pagination-query.ts'
import { guardSession } from '../../people/sessions/guard-session.ts'
import { requestRebuild } from './request-rebuild.ts'
import {
  createSourceContract,
  endPreviousSigningSecretContract,
  listKnownMetricsContract,
  listSourcesContract,
  pauseSourceContract,
  rebuildSourceContract,
  resumeSourceContract,
  rotateSigningSecretContract,
  saveSourceContract,
  showSourceContract,
  showSourceDaysContract,
} from './contract.ts'
import { createSource } from './create-source.ts'
import { endPreviousSigningSecret } from './signing-secrets/end-previous-signing-secret.ts'
import { knownMetrics } from '../../engine/declarations/known-metrics.ts'
import { listSourcesWithActivity } from './list-sources.ts'
import { pauseSource, resumeSource } from './pause-source.ts'
import { readNewSource } from './read-new-source.ts'
import { rotateSigningSecret } from './signing-secrets/rotate-signing-secret.ts'
import { saveSource } from './save-source.ts'
import { readSourceDays } from './source-days.ts'
import { readSourceState, showSource } from './show-source.ts'
import {
  activityAnswer,
  toCreatedSourceAnswer,
  shapeVersionAnswer,
  sourceAnswer,
  storedAnswer,
} from './to-source-answer.ts'

const collection = '/console/companies/:company_id/sources'
const single = `${collection}/:source_id` as const

/** Sources and their declarations, for the pages. */
export async function registerSourceRoutes(app: App, context: DirectoryContext): Promise<void> {
  await guardSession(app, context)
  registerSourceMakingRoutes(app, context)
  registerSourceDaysRoute(app, context)
  registerSourceChangeRoutes(app, context)
  registerSourceStateRoutes(app, context)
}

function registerSourceMakingRoutes(app: App, context: DirectoryContext): void {
  app.get('/console/known-metrics', route(listKnownMetricsContract), async () => ({ metrics: knownMetrics }))

  app.get(collection, route(listSourcesContract), async ({ session, params, query }) => {
    const { company_id: companyId } = params
    const at = await context.shards.ofCompany(params.company_id)
    const page = await listSourcesWithActivity(at, session, companyId, toPageRequest(query))
    return {
      sources: page.items.map(({ source, activity }) => ({
        ...sourceAnswer(source),
        activity: activity && activityAnswer(activity),
      })),
      next_cursor: page.nextCursor,
    }
  })

  app.post(collection, route(createSourceContract), async ({ session, params, body }, reply) => {
    const at = await context.shards.ofCompany(params.company_id)
    const created = await createSource(at, session, params.company_id, readNewSource(body))
    return reply.code(201).send(toCreatedSourceAnswer(created))
  })

  app.get(single, route(showSourceContract), async ({ session, params, query }) => {
    const { company_id: companyId, source_id: sourceId } = params
    const at = await context.shards.ofCompany(params.company_id)
    const { source, versions } = await showSource(at, session, companyId, sourceId, toPageRequest(query))
    const { activity, stored, signingSecrets } = await readSourceState(at, companyId, source)
    return {
      source: sourceAnswer(source),
      activity: activityAnswer(activity),
      stored: storedAnswer(stored),
      signing_secrets: signingSecrets.map(({ createdAt, endsAt }) => ({
        created_at: createdAt.toISOString(),
        ends_at: endsAt?.toISOString() ?? null,
      })),
      versions: versions.items.map(shapeVersionAnswer),
      next_cursor: versions.nextCursor,
    }
  })
}

function registerSourceDaysRoute(app: App, context: DirectoryContext): void {
  app.get(`${single}/days`, route(showSourceDaysContract), async ({ session, params, query }) => {
    const { company_id: companyId, source_id: sourceId } = params
    const at = await context.shards.ofCompany(companyId)
    const sandbox = query.sandbox === 'true'
    const { from, days } = await readSourceDays(at, session, companyId, sourceId, sandbox)
    return {
      from,
      days: days.map(({ rowsAccepted, rowsRefused, ...day }) => ({
        ...day,
        rows_accepted: rowsAccepted,
        rows_refused: rowsRefused,
      })),
    }
  })
}

function registerSourceChangeRoutes(app: App, context: DirectoryContext): void {
  app.put(single, route(saveSourceContract), async ({ session, params, body }) => {
    const { company_id: companyId, source_id: sourceId } = params
    const { expected_revision: expected, ...source } = body
    const at = await context.shards.ofCompany(params.company_id)
    const saved = await saveSource(at, session, companyId, sourceId, expected, readNewSource(source))
    return {
      source: toCreatedSourceAnswer(saved),
      rebuilds: saved.rebuilds,
    }
  })

  app.post(
    `${single}/rotate-signing-secret`,
    route(rotateSigningSecretContract),
    async ({ session, params }) => {
      const at = await context.shards.ofCompany(params.company_id)
      return toCreatedSourceAnswer(
        await rotateSigningSecret(at, session, params.company_id, params.source_id),
      )
    },
  )
}

function registerSourceStateRoutes(app: App, context: DirectoryContext): void {
  app.post(
    `${single}/end-previous-signing-secret`,
    route(endPreviousSigningSecretContract),
    async ({ session, params }, reply) => {
      const at = await context.shards.ofCompany(params.company_id)
      await endPreviousSigningSecret(at, session, params.company_id, params.source_id)
      return reply.code(204).send()
    },
  )

  app.post(`${single}/pause`, route(pauseSourceContract), async ({ session, params, body }, reply) => {
    const at = await context.shards.ofCompany(params.company_id)
    await pauseSource(at, session, params.company_id, params.source_id, body.reason ?? undefined)
    return reply.code(204).send()
  })

  app.post(`${single}/resume`, route(resumeSourceContract), async ({ session, params }, reply) => {
    const at = await context.shards.ofCompany(params.company_id)
    await resumeSource(at, session, params.company_id, params.source_id)
    return reply.code(204).send()
  })

  app.post(`${single}/rebuilds`, route(rebuildSourceContract), async ({ session, params }, reply) => {
    const at = await context.shards.ofCompany(params.company_id)
    await requestRebuild(at, session, params.company_id, params.source_id)
    return reply.code(204).send()
  })
}
