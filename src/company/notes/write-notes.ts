import type { PoolClient } from 'pg'
import type { Context } from '../../context.ts'
import type { Metric } from '../../engine/declarations/declaration.ts'
import { aggregations } from '../../engine/aggregations/aggregations.ts'
import { labelCharactersMax } from '../../engine/fields/field-value.ts'
import { isStorableText } from '../../formats/json/is-storable-text.ts'
import { periodStart, type Period } from '../../formats/values/period.ts'
import { uuidv7 } from '../../formats/values/uuidv7.ts'
import { roleCovers, type Role } from '../../people/access/role.ts'
import { lockCompany } from '../../people/companies/lock-company.ts'
import { actorMemberId, type Actor } from '../../people/members/actor.ts'
import { requireRole } from '../../people/members/require-role.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { ApiError, conflict, invalidArgument, notFound } from '../../platform/http/errors/errors.ts'
import { checkDisplayText } from '../../platform/http/requests/check-display-text.ts'
import { readDay } from '../../platform/reads/read-window.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { lockSource } from '../sources/lock-source.ts'
import { noteAnswer, notesMax, notesOfPeriodMax, type Note } from './annotations.ts'
import {
  countNotes,
  countNotesOfPeriod,
  deleteNote,
  insertNote,
  selectMetrics,
  selectNote,
  updateNote,
  type NoteRow,
  type OfMetric,
} from './queries.ts'

/** Characters of a note; a longer one is 400, field `text`. */
export const noteCharactersMax = 500

export type NotesContext = Pick<Context, 'pool' | 'shard' | 'clock'>

export interface NewNote {
  grain: Period
  periodStart: string
  /** Of one figure; empty: of the whole period. */
  labels: Record<string, string>
  text: string
}

/** @throws 404 if the source has no such metric now */
export async function findMetric(on: Queryable, { metric, ...source }: OfMetric): Promise<Metric> {
  const row = await selectMetrics.first(on, source)
  const found = row?.metrics.find((each) => each.metric === metric)
  if (found === undefined) throw notFound()
  return found
}

/** @throws 400 with the field that names nothing of the metric's reports */
function checkPlace(metric: Metric, { grain, periodStart: start, labels }: NewNote): void {
  const combines = metric.period === 'day' && aggregations[metric.aggregation].combines !== null
  if (grain !== metric.period && !combines)
    throw invalidArgument(`This metric is read by ${metric.period}.`, 'grain')
  const day = readDay(start, 'period_start')
  if (periodStart(grain, day) !== day) {
    throw invalidArgument(`It is not the first day of a ${grain}.`, 'period_start')
  }
  for (const [name, value] of Object.entries(labels)) {
    const field = `labels.${name}`
    if (!metric.group_by.includes(name)) throw invalidArgument('The metric has no such label.', field)
    if ([...value].length > labelCharactersMax || !isStorableText(value))
      throw invalidArgument('No row has such a value.', field)
  }
}

/** @throws 409 for one note too many */
async function requireRoom(
  client: PoolClient,
  of: OfMetric,
  { grain, periodStart: start }: NewNote,
): Promise<void> {
  const { companyId } = of
  const period = { ...of, grain, periodStart: start, max: notesOfPeriodMax }
  if ((await countNotesOfPeriod.first(client, period))!.used >= notesOfPeriodMax)
    throw conflict(`The period has ${notesOfPeriodMax} notes, which is the limit.`)
  if ((await countNotes.first(client, { companyId, max: notesMax }))!.used >= notesMax)
    throw conflict(`The company has ${notesMax} notes, which is the limit.`)
}

/**
 * Adds a note to a period of a report, or to one figure of it.
 *
 * @throws 400 with the field that is wrong; 403, 404 as `requireRole`; 404 if there is no such metric; 409 as `lockSource`, and
 *   for one note too many
 */
export async function addNote(
  context: NotesContext,
  actor: Actor,
  of: OfMetric,
  note: NewNote,
): Promise<Note> {
  const { companyId, sourceId } = of
  return inTransaction(context.pool, async (client) => {
    await lockCompany(client, companyId)
    const { name } = await lockSource(context, client, actor, companyId, sourceId, 'reader')
    checkPlace(await findMetric(client, of), note)
    const text = checkDisplayText(note.text, 'text', noteCharactersMax)
    await requireRoom(client, of, note)
    const atMs = context.clock.now()
    const noteId = uuidv7(atMs)
    await insertNote.run(client, {
      ...of,
      ...note,
      noteId,
      text,
      labels: JSON.stringify(note.labels),
      author: actorMemberId(actor),
      at: new Date(atMs),
    })
    const row = (await selectNote.first(client, { ...of, noteId }))!
    await record(client, actor, of, name, 'note_added', row, atMs)
    return noteAnswer(row)
  })
}

function record(
  client: PoolClient,
  actor: Actor,
  { companyId, sourceId, metric }: OfMetric,
  name: string,
  action: 'note_added' | 'note_changed' | 'note_removed',
  row: NoteRow,
  atMs: number,
): Promise<void> {
  return recordAuditEvent(client, {
    companyId,
    actor,
    action,
    subject: { kind: 'source', id: sourceId, name },
    details: { metric, period_start: row.period_start },
    atMs,
  })
}

/** Locks a note, if the actor may change it: its author and owners may. @throws 403, 404 */
async function lockNote(
  context: NotesContext,
  client: PoolClient,
  actor: Actor,
  of: OfMetric,
  noteId: string,
): Promise<{ row: NoteRow; name: string }> {
  const { companyId, sourceId } = of
  const { name } = await lockSource(context, client, actor, companyId, sourceId, 'reader')
  const { role } = await requireRole(client, actor, companyId, 'reader')
  const row = await selectNote.first(client, { ...of, noteId })
  if (row === undefined) throw notFound()
  requireAuthor(role, actor, row)
  return { row, name }
}

function requireAuthor(role: Role, actor: Actor, { author }: NoteRow): void {
  if (roleCovers(role, 'owner') || author === actorMemberId(actor)) return
  throw new ApiError('permission_denied', 'Its author and owners of the company may change it.')
}

/**
 * Changes the text of a note.
 *
 * @param revision the one that was changed
 * @throws 400 with field `text`; 403 unless the actor is its author or an owner; 404; 409 with the note as it is now in the
 *   details, if another member has changed it since
 */
export async function changeNote(
  context: NotesContext,
  actor: Actor,
  of: OfMetric,
  noteId: string,
  { revision, text }: { revision: number; text: string },
): Promise<Note> {
  const { companyId } = of
  return inTransaction(context.pool, async (client) => {
    const { row, name } = await lockNote(context, client, actor, of, noteId)
    const checked = checkDisplayText(text, 'text', noteCharactersMax)
    if (row.revision !== revision) {
      throw conflict('Another member has changed the note meanwhile.', 'expected_revision', {
        note: noteAnswer(row),
      })
    }
    if (checked === row.text) return noteAnswer(row)
    const atMs = context.clock.now()
    await updateNote.run(client, {
      companyId,
      noteId,
      text: checked,
      by: actorMemberId(actor),
      at: new Date(atMs),
    })
    await record(client, actor, of, name, 'note_changed', row, atMs)
    return noteAnswer((await selectNote.first(client, { ...of, noteId }))!)
  })
}

/** Removes a note. @throws 403 unless the actor is its author or an owner; 404 */
export async function removeNote(
  context: NotesContext,
  actor: Actor,
  of: OfMetric,
  noteId: string,
): Promise<void> {
  await inTransaction(context.pool, async (client) => {
    const { row, name } = await lockNote(context, client, actor, of, noteId)
    await deleteNote.run(client, { companyId: of.companyId, noteId })
    await record(client, actor, of, name, 'note_removed', row, context.clock.now())
  })
}
