export interface FirstSteps {
  /** Where the service is reached, without a slash at the end. */
  url: string
  /** The static credential for the "First steps" source. */
  credential: string
  /** Published; undefined where the deployment has none. */
  demoCredential: string | undefined
  /** A moment of today, for the row that is pushed. */
  nowMs: number
}

/** What the demo prints once it is up: a push and a read that work when pasted. */
export const firstStepsText = ({ url, credential, demoCredential, nowMs }: FirstSteps): string => {
  const at = `${new Date(nowMs).toISOString().slice(0, 19)}Z`
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
${readDemo}
The API's document: ${url}/openapi.json
Stop with Ctrl-C; the data stays for the next start.
`
}
