import { readBounded } from '../../../platform/http/read-bounded.ts'

/** Of one answer of the OpenID Connect provider. A longer one counts as none. */
const providerAnswerBytesMax = 262_144

/** How long the OpenID Connect provider has for one answer, including its body. */
export const providerAnswerMsMax = 5_000

/** What openid-client and jose pass. */
interface RequestOptions {
  method: string
  headers: Headers | Record<string, string>
  body?: RequestInit['body']
  signal?: AbortSignal | undefined
}

/** @throws TypeError if the provider cannot be reached, TooLargeError if it sends too much, DOMException if it takes too long */
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
  const content = await readBounded(response.body ?? [], providerAnswerBytesMax)
  return new Response(content.length === 0 ? null : new Uint8Array(content), {
    status: response.status,
    headers: response.headers,
  })
}
