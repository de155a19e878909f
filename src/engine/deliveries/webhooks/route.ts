import type { preParsingHookHandler } from 'fastify'
import { clientNetwork } from '../../../platform/http/requests/client-network.ts'
import { createRateLimiter } from '../../../platform/rate-limit/rate-limiter.ts'
import type { DirectoryContext } from '../../../context.ts'
import { route, type App } from '../../../platform/http/contract.ts'
import { createBatchObserver } from '../../../platform/telemetry/observe-batch.ts'
import { createWebhookLookUp } from './look-up-webhook.ts'
import { receiveWebhook, type WebhookContext } from './receive-webhook.ts'
import type { AcceptContext } from '../store/accept.ts'
import { createSendReceipt } from '../store/send-receipt.ts'
import { createOpenSigningSecrets } from './signing-secrets.ts'
import { webhookContract } from './contract.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose address the signature of a webhook opens; null where it opens none, and for other calls. */
    signedWebhookCompanyId: string | null
  }
}

export function registerWebhookRoute(
  app: App,
  context: DirectoryContext,
  acceptIn: (shard: number) => AcceptContext,
): void {
  const { config, acceptPool: pool, clock, telemetry, keys } = context
  const webhookContext: WebhookContext = {
    acceptIn,
    clock,
    lookUp: createWebhookLookUp({
      pool,
      shards: context.shards,
      clock,
      onBatch: createBatchObserver(telemetry, 'webhook'),
    }),
    openSecrets: createOpenSigningSecrets(keys.master),
    sourceRate: config.rates.webhook,
    consumeOfSource: createRateLimiter({
      pool,
      clock,
      onBatch: createBatchObserver(telemetry, 'webhook_rate'),
    }),
    consumeFailure: createRateLimiter({ pool, clock }),
    bodyBudget: app.bodyBudget,
  }
  const sendReceipt = createSendReceipt(telemetry, 'webhook')

  app.decorateRequest('signedWebhookCompanyId', null)
  // As for pushes: answered before the framework would read the body.
  const answer: preParsingHookHandler = (request, reply) => {
    receiveWebhook(webhookContext, {
      message: request.raw,
      sourceId: (request.params as { source_id: string }).source_id,
      network: clientNetwork(request.ip),
      onSigned: (companyId) => (request.signedWebhookCompanyId = companyId),
      onRate: (headers) => reply.headers(headers),
    })
      .then((accepted) => sendReceipt(reply, accepted))
      .catch((error: unknown) => reply.send(error))
  }
  app.post('/v1/webhooks/:source_id', { ...route(webhookContract), preParsing: answer }, () => {
    throw new Error('a webhook is answered before its handler')
  })
}
