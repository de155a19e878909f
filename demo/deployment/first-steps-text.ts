export interface FirstSteps {
  /** The base address, without a slash at the end. */
  url: string
  /** The static credential for the "First steps" source. */
  credential: string
  /** The time zone of its company. */
  timeZone: string
  /** The webhook source and its signing secret; false if a visitor has made it a push source. */
  webhook: { sourceId: string; secret: string } | false
  /** Published; undefined where the deployment has none. */
  demoCredential: string | undefined
  /** The present, for the pushed rows. */
  nowMs: number
}

/**
 * What the demo prints once it runs: the address to open, then a push, a read and a webhook to paste into a terminal.
 */
export function firstStepsText(steps: FirstSteps): string {
  const { url, credential, timeZone, demoCredential, nowMs } = steps
  const at = `${new Date(nowMs).toISOString().slice(0, 19)}Z`
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone).toPlainDate()
  const body = JSON.stringify({
    idempotency_key: `first-${nowMs}`,
    shape_version: 1,
    payload: [
      { at, amount: '249.50', country: 'SE' },
      { at, amount: '-49.50', country: 'SE' },
    ],
  })
  const readDemo =
    demoCredential === undefined
      ? ''
      : `
The past week of a made-up web shop, with the published demo credential:

  curl '${url}/v1/samples?metric=revenue&from=${today.subtract({ days: 6 })}' \\
    -H 'Authorization: Bearer ${demoCredential}'
`
  return `
The Numera demo is running. All data is made up, and anyone can sign in as anyone.

  Open it:        ${url}
  Documentation:  ${url}/docs
  Try the API:    ${url}/docs/api

Push a sale and a refund. The response is 202 once both are on disk. If the same key is sent twice, the delivery counts once:

  curl '${url}/v1/ingest' -H 'Authorization: Bearer ${credential}' \\
    -H 'Content-Type: application/json' \\
    -d '${body}'

Read back the sum of today. After the first push it is 200, and it refers to the delivery behind it:

  curl '${url}/v1/samples?from=${today}' -H 'Authorization: Bearer ${credential}'
${webhookText(steps, at)}${readDemo}
Each call is logged below. Press Ctrl-C to stop. The data is kept for the next start.
`
}

function webhookText({ url, webhook, nowMs }: FirstSteps, at: string): string {
  if (!webhook) return ''
  const sale = JSON.stringify({ at, quantity: '1', unit_price: '39.00' })
  const id = `sale-${nowMs}`
  const signed = `printf %s "$t.${id}.$body" | openssl dgst -sha256 -hmac ${webhook.secret} -r`
  return `
Send a signed webhook, as a cash register does:

  t=$(date +%s); body='${sale}'; \\
  curl '${url}/v1/webhooks/${webhook.sourceId}' -H "Service-Delivery-Id: ${id}" \\
    -H "Service-Signature: t=$t,v1=$(${signed} | cut -c-64)" \\
    -H 'Content-Type: application/json' -d "$body"
`
}
