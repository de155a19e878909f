export interface Answer {
  status: number
  headers: Headers
  text: string
  /** Parsed JSON; undefined for anything else. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers as they come
  body: any
}

export interface Call {
  method?: string
  /** Sent as the bearer token. */
  credential?: string
  headers?: Record<string, string>
  /** Strings and bytes are sent unchanged, everything else as JSON. */
  body?: unknown
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Makes one call over HTTP, and gives any answer. */
export const call = async (url: string, options: Call = {}): Promise<Answer> => {
  const { method = 'GET', credential, headers = {}, body } = options
  const raw = typeof body === 'string' || body instanceof Uint8Array
  const answer = await fetch(url, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, body: parse(text) }
}

/** Status, code and field of an answer that is an `Error`. */
export const errorOf = ({ status, body }: Answer): { status: number; code?: string; field?: string } => ({
  status,
  code: body?.code,
  ...(body?.field === undefined ? {} : { field: body.field }),
})

let deliveries = 0

/** A delivery with a unique key. */
export const delivery = (
  payload: unknown,
  rest: { idempotency_key?: string; shape_version?: number } = {},
) => ({ idempotency_key: `delivery-${++deliveries}`, shape_version: 1, payload, ...rest })

/** Pushes once, and gives any answer. */
export const ingest = (
  url: string,
  credential: string,
  body: unknown,
  options: { query?: string; headers?: Record<string, string> } = {},
): Promise<Answer> =>
  call(`${url}/v1/ingest${options.query ?? ''}`, {
    method: 'POST',
    credential,
    body,
    headers: options.headers ?? {},
  })

/** Requests a token for a client id and secret, and gives any answer. */
export const requestToken = (url: string, clientId: string, secret: string): Promise<Answer> =>
  call(`${url}/oauth/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  })

/** Moves the service's clock forward. */
export const advance = async (url: string, seconds: number): Promise<void> => {
  await call(`${url}/test/clock`, { method: 'POST', body: { advance_seconds: seconds } })
}

/** Sets the service's clock to an instant. */
export const setClock = async (url: string, instant: string): Promise<void> => {
  await call(`${url}/test/clock`, { method: 'POST', body: { set: instant } })
}
