/** Of one answer of the OpenID Connect provider. A longer one is as if it had not answered. */
export const providerAnswerBytesMax = 262_144

/** How long the OpenID Connect provider has for one answer, its body included. */
export const providerAnswerMsMax = 5_000

/** What openid-client and jose ask with. */
interface RequestOptions {
  method: string
  headers: Headers | Record<string, string>
  body?: RequestInit['body']
  signal?: AbortSignal | undefined
}

async function readBounded(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > providerAnswerBytesMax) throw new TypeError('The answer of the provider is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * Asks the provider, and reads the whole of its answer.
 *
 * @throws TypeError where it cannot be reached, or says too much; DOMException where it takes too long
 */
export async function fetchBounded(
  url: string,
  { body, headers, method, signal }: RequestOptions,
): Promise<Response> {
  const deadline = AbortSignal.timeout(providerAnswerMsMax)
  const response = await fetch(url, {
    method,
    headers,
    body: body ?? null,
    redirect: 'manual',
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
  })
  const content = await readBounded(response)
  return new Response(content.length === 0 ? null : new Uint8Array(content), {
    status: response.status,
    headers: response.headers,
  })
}
