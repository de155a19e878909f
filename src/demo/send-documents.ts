import type { Context } from '../service/context.ts'
import { webhookSignature } from '../deliveries/webhooks/signature.ts'
import { everyDelivery } from '../delivery-log/delivery-filter.ts'
import { listDeliveries } from '../delivery-log/list-deliveries.ts'
import type { AddedSource } from './add-demo-companies.ts'
import { fixtureDocuments, type FixtureDocument } from './fixture-documents.ts'
import type { SentDelivery } from './sent-delivery.ts'
import { sourceCredential, sourceSigningSecret } from './source-credential.ts'

type Send = (document: FixtureDocument) => Promise<Response>

function sendOctets(url: string, credential: string): Send {
  return ({ key, body }) =>
    fetch(`${url}/v1/ingest`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${credential}`,
        'content-type': 'application/octet-stream',
        'idempotency-key': key,
      },
      body,
    })
}

function sendWebhook(context: Context, url: string, sourceId: string, secret: string): Send {
  return ({ key, body }) => {
    const t = Math.floor(context.clock.now() / 1000)
    return fetch(`${url}/v1/webhooks/${sourceId}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'service-delivery-id': key,
        'service-signature': `t=${t},v1=${webhookSignature(secret, t, key, body)}`,
      },
      body,
    })
  }
}

type Outcome = { artifactId: string } | 'replayed' | 'refused'

async function outcomeOf(answer: Response): Promise<Outcome> {
  const text = await answer.text()
  if (answer.status >= 500) throw new Error(`The demo could not send a document: ${text}`)
  // What somebody has changed in the demo (a source paused, a secret rotated) stays that way.
  if (answer.status !== 202) return 'refused'
  return answer.headers.get('idempotent-replayed') === 'true'
    ? 'replayed'
    : { artifactId: JSON.parse(text).artifact_id }
}

/**
 * Sends a year of documents and webhooks to the sources that take them, over HTTP, as their systems would and at their
 * rates. May be called at every start, since what was sent before is answered as a replay. Gives what was new.
 *
 * @param url where this process listens, without a slash at the end
 */
export async function sendDocuments(
  context: Context,
  url: string,
  sources: AddedSource[],
): Promise<SentDelivery[]> {
  const sendTo = async (added: AddedSource): Promise<SentDelivery[]> => {
    const { company, source, demo } = added
    if (demo.documents === undefined || source.deliveryWay !== demo.deliveryWay) return []
    const send =
      source.deliveryWay === 'webhook'
        ? sendWebhook(context, url, source.sourceId, await sourceSigningSecret(context, added))
        : sendOctets(url, await sourceCredential(context, added))
    const today = Temporal.Instant.fromEpochMilliseconds(context.clock.now())
      .toZonedDateTimeISO(company.timeZone)
      .toPlainDate()
    const documents = fixtureDocuments(demo.documents, today.toString())
    const { companyId } = company
    const before = await listDeliveries(
      context,
      companyId,
      { ...everyDelivery, sourceId: source.sourceId, sandbox: false },
      { limit: documents.length },
    )
    const sent: SentDelivery[] = []
    // The newest first: before one that is stored there is nothing new, unless an earlier start was cut short.
    for (const document of documents.toReversed()) {
      const outcome = await outcomeOf(await send(document))
      if (outcome === 'refused') break
      if (outcome !== 'replayed') sent.push({ companyId, artifactId: outcome.artifactId })
      else if (before.items.length === documents.length) break
    }
    return sent
  }
  return (await Promise.all(sources.map(sendTo))).flat()
}
