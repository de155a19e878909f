import type { preParsingHookHandler } from 'fastify'
import type { DirectoryContext } from '../../../context.ts'
import { reportRemarks } from '../../../engine/parsing/plan/remarks.ts'
import type { Admission } from '../../../people/access/admission.ts'
import { route, type App } from '../../../platform/http/contract.ts'
import { rateLimited } from '../../../platform/rate-limit/rate-limited.ts'
import type { Previews } from '../previews.ts'
import { checkPush, type CheckContext, type PushCheck } from './check-push.ts'
import { checkPushContract } from './contract.ts'

/** Registers `POST /v1/ingest/check`. A connection has one check at a time under way in a process. */
export function registerCheckRoute(app: App, { config, clock }: DirectoryContext, previews: Previews): void {
  const context: CheckContext = {
    acceptIn: app.acceptIn,
    bodyBudget: app.bodyBudget,
    isDemo: config.identityProvider === 'demo',
    previews,
    clock,
  }
  const checking = new Set<string>()
  // Before the framework would read the body, as a push is answered.
  const answer: preParsingHookHandler = (request, reply) => {
    const { admission, raw } = request
    const { connectionId } = admission
    if (checking.has(connectionId)) {
      reply.send(rateLimited(1, { message: 'The connection has a check under way; wait for its answer.' }))
      return
    }
    checking.add(connectionId)
    checkPush(context, raw, admission)
      .then((checked) => reply.send(checkAnswer(checked, admission)))
      .catch((error: unknown) => reply.send(error))
      .finally(() => checking.delete(connectionId))
  }
  app.post('/v1/ingest/check', { ...route(checkPushContract), preParsing: answer }, () => {
    throw new Error('a check is answered before its handler')
  })
}

function checkAnswer({ outcome, refusal, delivery, found }: PushCheck, { sandbox, source }: Admission) {
  return {
    outcome,
    refusal: refusal && { status: refusal.status, ...refusal.toBody() },
    shape_version: delivery?.shapeVersion ?? null,
    format: delivery?.format ?? null,
    delivers: source!.delivers,
    sandbox,
    dropped_keys: delivery?.droppedKeys ?? [],
    state: found?.state ?? null,
    reason: found?.reason ?? null,
    rows_accepted: found?.rowsAccepted ?? null,
    rows_refused: found?.rowsRefused ?? null,
    rows_date_alone: found?.rowsDateAlone ?? null,
    ...(found?.remarks ?? reportRemarks(null)),
    refusals: found?.refusals ?? [],
  }
}
