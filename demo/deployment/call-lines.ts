import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../../src/app/app-context.ts'
import { showDelivery } from '../../src/engine/samples/show-delivery.ts'
import { printable } from '../../src/formats/values/printable.ts'
import type { App } from '../../src/platform/http/contract.ts'

/** The most calls that wait for their number of rows; further lines have none. */
const waitingMax = 20

/** How long a line waits for its number of rows, in milliseconds. */
const rowsMsMax = 2_000

/** A demo may be public: no caller may fill its log. */
const linesPerMinuteMax = 120

/** Calls of systems and apps. Those of the pages would be a line for each click. */
const calledByPrograms = /^\/(?:v1|oauth)\//

function isDelivery(request: FastifyRequest, reply: FastifyReply): boolean {
  const { url } = request.routeOptions
  return reply.statusCode === 202 && (url === '/v1/ingest' || url === '/v1/webhooks/:source_id')
}

/** Writes a limited number of lines per minute, and says once a minute that there are more. */
function boundLines(write: (line: string) => void): (line: string) => void {
  let [minute, lines] = [-1, 0]
  return (line) => {
    const current = Math.floor(performance.now() / 60_000)
    if (current !== minute) [minute, lines] = [current, 0]
    lines++
    if (lines <= linesPerMinuteMax) write(line)
    else if (lines === linesPerMinuteMax + 1) write('… further calls in this minute are not shown')
  }
}

/**
 * Writes a line for each call: `202 POST /v1/ingest · First steps · 2 rows`. Call it before the routes are registered.
 */
export function writeCallLines(
  app: App,
  context: Pick<AppContext, 'shards'>,
  writeLine: (line: string) => void,
): void {
  const write = boundLines(writeLine)
  const ended = new AbortController()
  let waiting = 0

  /** The number of rows of a delivery, once it is parsed. */
  const fetchRows = async (companyId: string, artifactId: string): Promise<string | undefined> => {
    for (let waitedMs = 0; waitedMs < rowsMsMax; waitedMs += 100) {
      await sleep(100, undefined, { signal: ended.signal })
      const { readPool: pool } = await context.shards.ofCompany(companyId)
      const delivery = await showDelivery({ pool }, companyId, artifactId)
      if (delivery === undefined || delivery.state === 'queued') continue
      if (delivery.state === 'unreadable') return 'unreadable'
      const [accepted, refused] = [delivery.rowsAccepted ?? 0, delivery.rowsRefused ?? 0]
      const rows = accepted + refused === 1 ? '1 row' : `${accepted + refused} rows`
      return refused === 0 ? rows : `${rows}, ${refused} refused`
    }
    return undefined
  }

  app.decorateRequest('acceptedDelivery')
  app.addHook('onSend', (request, reply, payload, done) => {
    if (isDelivery(request, reply)) request.acceptedDelivery = getArtifactId(payload)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    done()
    const { method, routeOptions, admission, acceptedDelivery, errorCode } = request
    const pattern = routeOptions.url
    if (pattern === undefined || !calledByPrograms.test(pattern)) return
    const source = admission?.source?.name
    const parts = [`${reply.statusCode} ${method} ${pattern}`, source && printable(source), errorCode]
    const companyId = admission?.company?.companyId ?? request.signedWebhookCompanyId ?? undefined
    const writeWith = (rows?: string): void =>
      write([...parts, rows].filter((part) => part !== undefined).join(' · '))
    if (acceptedDelivery === undefined || companyId === undefined || waiting >= waitingMax) return writeWith()
    waiting++
    void fetchRows(companyId, acceptedDelivery)
      .then(writeWith, () => writeWith())
      .finally(() => waiting--)
  })
  app.addHook('onClose', async () => ended.abort())
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The `artifact_id` of its receipt. */
    acceptedDelivery: string | undefined
  }
}

function getArtifactId(receipt: unknown): string | undefined {
  return /"artifact_id":"([\da-f-]{36})"/.exec(String(receipt))?.[1]
}
