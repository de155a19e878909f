/**
 * The service as `deliveries-live.ts` measures it, with what it does not have: server-sent events that say when a company's
 * list of deliveries is another one. As thrifty as they come: one look a second for each company that somebody looks at, and
 * whether a page may still look every ten.
 *
 *   node bench/pages/live-server.ts DATABASE_URL PORT
 */
import type { FastifyReply } from 'fastify'
import { requireRole } from '../../src/companies/require-role.ts'
import { readLogVersion } from '../../src/delivery-log/queries.ts'
import { openLanes } from '../../src/database/lanes.ts'
import type { Context } from '../../src/service/context.ts'
import type { App } from '../../src/http/contract.ts'
import { buildApp } from '../../src/service/app.ts'
import { systemClock } from '../../src/clock/clock.ts'
import { findSession } from '../../src/sessions/session.ts'
import { createTestContext } from '../../src/testing/test-context.ts'

const [url, port] = process.argv.slice(2)
const lanes = openLanes({ url: url!, connectionsMax: 20, name: 'numera bench' })
const clock = { ...systemClock, advance: () => {}, set: () => {} }
const context: Context = { ...createTestContext(lanes.pool, { ...lanes, clock }) }

interface OpenPage {
  reply: FastifyReply
  token: string
}
const pagesOf = new Map<string, Set<OpenPage>>()
const seen = new Map<string, string>()

const mayLook = async (companyId: string, token: string): Promise<boolean> => {
  const session = await findSession(context, token)
  if (session === undefined) return false
  await requireRole(context.pool, session, companyId, 'developer')
  return true
}

const app = (await buildApp(context)) as App
app.get('/bench/events/:company_id', async (request, reply) => {
  const { company_id: companyId } = request.params as { company_id: string }
  const token = /numera_session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
  if (!(await mayLook(companyId, token))) return reply.code(401).send()
  const page = { reply, token }
  const pages = pagesOf.get(companyId) ?? new Set()
  pagesOf.set(companyId, pages.add(page))
  reply.hijack()
  reply.raw.writeHead(200, { 'content-type': 'text/event-stream' })
  reply.raw.write(`data: ${seen.get(companyId) ?? ''}\n\n`)
  reply.raw.on('close', () => {
    pages.delete(page)
    if (pages.size === 0) pagesOf.delete(companyId)
  })
})

setInterval(async () => {
  for (const [companyId, pages] of pagesOf) {
    const { version } = (await readLogVersion.first(context.readPool, { companyId }))!
    if (seen.get(companyId) === version) continue
    seen.set(companyId, version)
    for (const { reply } of pages) reply.raw.write(`data: ${version}\n\n`)
  }
}, 1_000)
setInterval(async () => {
  for (const [companyId, pages] of pagesOf) {
    for (const { reply, token } of pages) if (!(await mayLook(companyId, token))) reply.raw.end()
  }
}, 10_000)
await app.listen({ port: Number(port), host: '127.0.0.1' })
