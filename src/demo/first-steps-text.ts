import { demoOwner } from './demo-companies.ts'

export interface FirstSteps {
  /** The base address, without a slash at the end. */
  url: string
  /** The static credential for the "First steps" source. */
  credential: string
  /** The webhook source and its signing secret; false where somebody made it a push source. */
  webhook: { sourceId: string; secret: string } | false
  /** Published; undefined where the deployment has none. */
  demoCredential: string | undefined
  /** A moment of today, for the row that is pushed. */
  nowMs: number
}

/** What the demo prints once it is up: a push, a read and a webhook that work when pasted. */
export function firstStepsText({ url, credential, webhook, demoCredential, nowMs }: FirstSteps): string {
  const at = `${new Date(nowMs).toISOString().slice(0, 19)}Z`
  const body = JSON.stringify({
    idempotency_key: `first-${nowMs}`,
    shape_version: 1,
    payload: [
      { at, amount: '249.50', country: 'SE' },
      { at, amount: '-49.50', country: 'SE' },
    ],
  })
  const sale = JSON.stringify({ at, quantity: '1', unit_price: '39.00' })
  const id = `sale-${nowMs}`
  const signed = `printf %s "$t.${id}.$body" | openssl dgst -sha256 -hmac ${webhook && webhook.secret} -r`
  const sendWebhook = !webhook
    ? ''
    : `
Deliver by signed webhook, as a cash register does (docs/guides/webhooks.md):

  t=$(date +%s); body='${sale}'; \\
  curl '${url}/v1/webhooks/${webhook.sourceId}' -H "Service-Delivery-Id: ${id}" \\
    -H "Service-Signature: t=$t,v1=$(${signed} | cut -c-64)" \\
    -H 'Content-Type: application/json' -d "$body"
`
  const readDemo =
    demoCredential === undefined
      ? ''
      : `
A year of a web shop's samples, with the published demo credential:

  curl '${url}/v1/samples?metric=revenue' -H 'Authorization: Bearer ${demoCredential}'
`
  return `
Numera's demo is up at ${url}
Everything in it is made up, and anybody may sign in as anybody.

Push a delivery:

  curl '${url}/v1/ingest' -H 'Authorization: Bearer ${credential}' \\
    -H 'Content-Type: application/json' \\
    -d '${body}'

Read it back:

  curl '${url}/v1/samples' -H 'Authorization: Bearer ${credential}'
${sendWebhook}${readDemo}
In a browser: ${url}/sign-in (as ${demoOwner.name}, ${demoOwner.personalNumber}: the owner of everything here)
The API's document: ${url}/openapi.json
Stop with Ctrl-C; the data stays for the next start.
`
}
