import type { AppContext } from '../src/app/app-context.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { showDelivery } from '../src/engine/samples/show-delivery.ts'
import type { App } from '../src/platform/http/contract.ts'
import { printable } from '../src/formats/values/printable.ts'

/** Calls whose rows are still being counted; a line beyond goes without. */
const waitingMax = 20

/** How long a line waits for its rows, milliseconds. */
const rowsMsMax = 2_000

/** Lines in a minute: a demo may be public, and no caller can fill its log. */
const linesPerMinuteMax = 120

/** What systems and apps call. The pages' own calls would be a line a click. */
const calledByPrograms = /^\/(?:v1|oauth)\//

function isDelivery(request: FastifyRequest, reply: FastifyReply): boolean {
  const { url } = request.routeOptions
  return reply.statusCode === 202 && (url === '/v1/ingest' || url === '/v1/webhooks/:source_id')
}

/** Counts lines by the minute. Gives what writes those within the bound, and says once a minute where there are more. */
function boundLines(write: (line: string) => void): (line: string) => void {
  let [minute, lines] = [-1, 0]
  return (line) => {
    const current = Math.floor(performance.now() / 60_000)
    if (current !== minute) [minute, lines] = [current, 0]
    lines++
    if (lines <= linesPerMinuteMax) write(line)
    else if (lines === linesPerMinuteMax + 1) write('… further calls of this minute have no line')
  }
}

/**
 * Writes one line for each call while the demo runs: `202 POST /v1/ingest · First steps · 2 rows`, of so many a minute.
 * Call it before the routes are registered.
 */
export function writeCallLines(
  app: App,
  context: Pick<AppContext, 'readPool'>,
  writeLine: (line: string) => void,
): void {
  const write = boundLines(writeLine)
  const ended = new AbortController()
  let waiting = 0

  /** How many rows a delivery had, once it is parsed. */
  const fetchRows = async (companyId: string, artifactId: string): Promise<string | undefined> => {
    for (let waitedMs = 0; waitedMs < rowsMsMax; waitedMs += 100) {
      await sleep(100, undefined, { signal: ended.signal })
      const delivery = await showDelivery({ pool: context.readPool }, companyId, artifactId)
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
    const tell = (rows?: string): void =>
      write([...parts, rows].filter((part) => part !== undefined).join(' · '))
    if (acceptedDelivery === undefined || companyId === undefined || waiting >= waitingMax) return tell()
    waiting++
    void fetchRows(companyId, acceptedDelivery)
      .then(tell, () => tell())
      .finally(() => waiting--)
  })
  app.addHook('onClose', async () => ended.abort())
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The `artifact_id` of its receipt; only where calls are written as lines. */
    acceptedDelivery: string | undefined
  }
}

function getArtifactId(receipt: unknown): string | undefined {
  return /"artifact_id":"([\da-f-]{36})"/.exec(String(receipt))?.[1]
}
