import type { FastifyRequest } from 'fastify'

/** `text/html` by its own name, as browsers ask for pages; programs take anything (RFC 9110, 12.5.1). */
const acceptsHtml = /(?:^|,)\s*text\/html\s*(?:;|,|$)/i

/** Whether a person opened an address in a browser. */
export function opensPage({ method, headers }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && acceptsHtml.test(headers.accept ?? '')
}
