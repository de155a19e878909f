import type { PoolClient } from 'pg'
import { recordAuditEvent } from '../../company/audit/record-audit-event.ts'
import type { DirectoryContext } from '../../context.ts'
import { uuidv7 } from '../../formats/values/uuidv7.ts'
import { roleCovers } from '../../people/access/role.ts'
import { lockCompany } from '../../people/companies/lock-company.ts'
import { requireKept } from '../../people/companies/require-kept.ts'
import { lockRole, requireRole, type ActorsCompany } from '../../people/members/require-role.ts'
import { uuidArray } from '../../platform/database/binary-array.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { ApiError, conflict, invalidArgument, notFound } from '../../platform/http/errors/errors.ts'
import { checkDisplayText } from '../../platform/http/requests/check-display-text.ts'
import { parseLines } from './line-text.ts'
import {
  deleteSavedView,
  insertSavedView,
  selectSavedViews,
  updatePlaces,
  updateSavedView,
  type SavedViewRow,
} from './queries.ts'

/** Views that a member keeps for themselves in a company, and views of a company; one more is 409. */
export const ownViewsMax = 50
export const companyViewsMax = 100
/** Characters of a view's name. */
export const viewNameCharactersMax = 80

type ViewContext = Pick<DirectoryContext, 'pool' | 'clock'>

/** A member in a company. */
export interface ViewActor {
  memberId: string
  companyId: string
}

export interface ViewContent {
  name: string
  search: string
  pinned: boolean
}

export interface NewView extends ViewContent {
  for: 'member' | 'company'
  sourceId: string | null
  metric: string | null
}

export interface ViewChange extends Partial<ViewContent> {
  expectedRevision: number
  /** From 0, among the company's or the member's own. */
  place?: number
}

export function viewAnswer(row: SavedViewRow) {
  return {
    view_id: row.view_id,
    for: row.member_id === null ? ('company' as const) : ('member' as const),
    name: row.name,
    source_id: row.source_id,
    metric: row.metric,
    search: row.search,
    pinned: row.pinned,
    revision: row.revision,
    changed_by: { member_id: row.changed_by, name: row.changed_by_name },
    changed_at: row.changed_at,
  }
}

/** The company's views and the member's own, in their order. For every role. @throws 404 as `requireRole` */
export async function listViews({ pool }: ViewContext, actor: ViewActor): Promise<SavedViewRow[]> {
  await requireRole(pool, actor, actor.companyId, 'reader')
  return selectSavedViews.rows(pool, { ...actor })
}

/** @throws 400 with field `name` or `search` */
function checkContent(content: ViewContent, sourceId: string | null): ViewContent {
  const { search } = content
  if (search.includes('\0') || !search.isWellFormed()) {
    throw invalidArgument('It is not valid text.', 'search')
  }
  if (sourceId === null) parseLines(new URLSearchParams(search).getAll('line'), 'search')
  return { ...content, name: checkDisplayText(content.name, 'name', viewNameCharactersMax) }
}

interface Change {
  client: PoolClient
  company: ActorsCompany
  views: SavedViewRow[]
  atMs: number
}

/** Runs a change alone among those of the company. */
function change<T>(context: ViewContext, actor: ViewActor, work: (change: Change) => Promise<T>): Promise<T> {
  return inTransaction(context.pool, async (client) => {
    await lockCompany(client, actor.companyId)
    const company = await lockRole(client, actor, actor.companyId, 'reader')
    await requireKept(client, actor.companyId)
    const views = await selectSavedViews.rows(client, { ...actor })
    return work({ client, company, views, atMs: context.clock.now() })
  })
}

/** Others in the company see what is done to its views. */
async function recordOfCompany(
  { client, company, atMs }: Change,
  actor: ViewActor,
  action: 'view_saved' | 'view_changed' | 'view_deleted',
  view: string,
): Promise<void> {
  const { companyId, name } = company
  const subject = { kind: 'company' as const, id: companyId, name }
  await recordAuditEvent(client, { companyId, actor, action, subject, details: { view }, atMs })
}

/** @throws 403 */
function requireWriter({ company }: Change): void {
  if (roleCovers(company.role, 'developer')) return
  throw new ApiError('permission_denied', 'The company’s views are changed by its owners and developers.')
}

/** @throws 400 with the field; 403, 404 as `lockRole`; 409 `conflict` beyond the maximum */
export function saveView(context: ViewContext, actor: ViewActor, input: NewView): Promise<SavedViewRow> {
  const content = checkContent(input, input.sourceId)
  const isOwn = input.for === 'member'
  return change(context, actor, async (each) => {
    const { client, views, atMs } = each
    if (!isOwn) requireWriter(each)
    const alike = views.filter((view) => (view.member_id !== null) === isOwn)
    const max = isOwn ? ownViewsMax : companyViewsMax
    if (alike.length >= max) {
      throw conflict(
        isOwn
          ? `You have ${max} views of your own here: delete one first.`
          : `The company has ${max} views: delete one first.`,
      )
    }
    const viewId = uuidv7(atMs)
    await insertSavedView.run(client, {
      companyId: actor.companyId,
      viewId,
      memberId: isOwn ? actor.memberId : null,
      name: content.name,
      sourceId: input.sourceId,
      metric: input.metric,
      search: content.search,
      pinned: content.pinned,
      place: alike.length + 1,
      changedBy: actor.memberId,
      at: new Date(atMs),
    })
    if (!isOwn) await recordOfCompany(each, actor, 'view_saved', content.name)
    return (await findView(client, actor, viewId))!
  })
}

async function findView(
  client: PoolClient,
  actor: ViewActor,
  viewId: string,
): Promise<SavedViewRow | undefined> {
  const views = await selectSavedViews.rows(client, { ...actor })
  return views.find((view) => view.view_id === viewId)
}

/** @throws 404 for a view that the member does not see; 403 for the company's if they may not change it */
function requireView(each: Change, viewId: string): SavedViewRow {
  const view = each.views.find((other) => other.view_id === viewId)
  if (view === undefined) throw notFound()
  if (view.member_id === null) requireWriter(each)
  return view
}

/** @throws 400 with the field; 403, 404; 409 `conflict` with the current state if it has another revision */
export function changeView(
  context: ViewContext,
  actor: ViewActor,
  viewId: string,
  { expectedRevision, place, ...changed }: ViewChange,
): Promise<SavedViewRow> {
  const { companyId, memberId } = actor
  return change(context, actor, async (each) => {
    const { client, views, atMs } = each
    const view = requireView(each, viewId)
    if (view.revision !== expectedRevision) {
      throw conflict('The view was changed by another member meanwhile.', 'expected_revision', {
        view: viewAnswer(view),
      })
    }
    const content = checkContent({ ...view, ...changed }, view.source_id)
    const { name, search, pinned } = content
    const at = new Date(atMs)
    await updateSavedView.run(client, { companyId, viewId, name, search, pinned, changedBy: memberId, at })
    if (place !== undefined) {
      const ids = views
        .filter((other) => other.member_id === view.member_id && other !== view)
        .map((other) => other.view_id)
      ids.splice(place, 0, viewId)
      await updatePlaces.run(client, { companyId, viewIds: uuidArray(ids) })
    }
    if (view.member_id === null) await recordOfCompany(each, actor, 'view_changed', name)
    return (await findView(client, actor, viewId))!
  })
}

/** @throws 403, 404 */
export function deleteView(context: ViewContext, actor: ViewActor, viewId: string): Promise<void> {
  return change(context, actor, async (each) => {
    const view = requireView(each, viewId)
    await deleteSavedView.run(each.client, { companyId: actor.companyId, viewId })
    if (view.member_id === null) await recordOfCompany(each, actor, 'view_deleted', view.name)
  })
}
