import type { Context, DirectoryContext } from '../../context.ts'
import { requireRole } from '../../people/members/require-role.ts'
import { guardSession } from '../../people/sessions/guard-session.ts'
import { route, type App } from '../../platform/http/contract.ts'
import { companyDay } from '../../platform/reads/company-day.ts'
import { notFound } from '../../platform/http/errors/errors.ts'
import { toRenderedAnswer } from '../../platform/reads/rendered-answer.ts'
import { readAnnotations } from './annotations.ts'
import {
  addNoteContract,
  changeNoteContract,
  readAnnotationsContract,
  removeNoteContract,
  saveTargetsContract,
} from './contract.ts'
import type { OfMetric } from './queries.ts'
import { saveTargets } from './save-targets.ts'
import { addNote, changeNote, findMetric, removeNote } from './write-notes.ts'

const report = '/console/companies/:company_id/sources/:source_id/reports/:metric'
const note = `${report}/notes/:note_id` as const

interface Params {
  company_id: string
  source_id: string
  metric: string
}

/** Notes and targets of reports, for their pages. */
export async function registerNoteRoutes(app: App, context: DirectoryContext): Promise<void> {
  await guardSession(app, context)
  const open = async ({ company_id: companyId, source_id: sourceId, metric }: Params) => {
    // No text of the database has it [all.text].
    if (metric.includes('\0')) throw notFound()
    const at: Context = await context.shards.ofCompany(companyId)
    const of: OfMetric = { companyId, sourceId, metric }
    return { at, of }
  }

  app.get(`${report}/annotations`, route(readAnnotationsContract), async (request, reply) => {
    const { session, params, query } = request
    const { at, of } = await open(params)
    const { companyId, timeZone } = await requireRole(at.pool, session, of.companyId, 'reader')
    await findMetric(at.pool, of)
    const read = await readAnnotations(at.pool, of, query, companyDay(timeZone, at.clock.now()))
    const { bytes, etag } = toRenderedAnswer(JSON.stringify(read))
    return app.reads.send({ request, reply, companyId }, etag, () => bytes)
  })

  app.post(`${report}/notes`, route(addNoteContract), async ({ session, params, body }, reply) => {
    const { at, of } = await open(params)
    const { grain, period_start: periodStart, labels = {}, text } = body
    return reply.code(201).send(await addNote(at, session, of, { grain, periodStart, labels, text }))
  })

  app.put(note, route(changeNoteContract), async ({ session, params, body }) => {
    const { at, of } = await open(params)
    const { expected_revision: revision, text } = body
    return changeNote(at, session, of, params.note_id, { revision, text })
  })

  app.delete(note, route(removeNoteContract), async ({ session, params }, reply) => {
    const { at, of } = await open(params)
    await removeNote(at, session, of, params.note_id)
    return reply.code(204).send()
  })

  app.put(`${report}/targets`, route(saveTargetsContract), async ({ session, params, body }) => {
    const { at, of } = await open(params)
    const { expected_revision: revision, months } = body
    return saveTargets(at, session, of, { revision, months })
  })
}
