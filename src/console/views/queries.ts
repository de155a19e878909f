import { defineStatement } from '../../platform/database/define-statement.ts'

export interface SavedViewRow {
  view_id: string
  /** Null: the company's. */
  member_id: string | null
  name: string
  /** Both null for a combined report. */
  source_id: string | null
  metric: string | null
  search: string
  pinned: boolean
  revision: number
  changed_by: string
  changed_by_name: string | null
  changed_at: Date
}

const columns = `saved_views.view_id, saved_views.member_id, saved_views.name, saved_views.source_id, saved_views.metric,
     saved_views.search, saved_views.pinned, saved_views.revision, saved_views.changed_by,
     members.name as changed_by_name, saved_views.changed_at`

/** The company's, then the member's own, in their order: those that the member sees. */
export const selectSavedViews = defineStatement<SavedViewRow, { companyId: string; memberId: string }>(
  'views.select-all',
  `select ${columns}
   from saved_views
   left join members on members.member_id = saved_views.changed_by
   where saved_views.company_id = $companyId::uuid
     and (saved_views.member_id is null or saved_views.member_id = $memberId::uuid)
   order by saved_views.member_id nulls first, saved_views.place, saved_views.view_id
   limit all`,
)

type StoredView = {
  companyId: string
  viewId: string
  name: string
  search: string
  pinned: boolean
  changedBy: string
  at: Date
}

/** Behind all others. */
export const insertSavedView = defineStatement<
  never,
  StoredView & { memberId: string | null; sourceId: string | null; metric: string | null; place: number }
>(
  'views.insert',
  `insert into saved_views (company_id, view_id, member_id, name, source_id, metric, search, pinned, place, revision,
     changed_by, changed_at)
   values ($companyId::uuid, $viewId::uuid, $memberId::uuid, $name::text, $sourceId::uuid, $metric::text, $search::text,
     $pinned::boolean, $place::integer, 1, $changedBy::uuid, $at::timestamptz)`,
)

export const updateSavedView = defineStatement<never, StoredView>(
  'views.update',
  `update saved_views
   set name = $name::text, search = $search::text, pinned = $pinned::boolean, revision = saved_views.revision + 1,
     changed_by = $changedBy::uuid, changed_at = $at::timestamptz
   where saved_views.company_id = $companyId::uuid and saved_views.view_id = $viewId::uuid`,
)

/** Gives views the places of their ids in a list. */
export const updatePlaces = defineStatement<never, { companyId: string; viewIds: Buffer }>(
  'views.update-places',
  `update saved_views
   set place = listed.place
   from unnest($viewIds::uuid[]) with ordinality as listed (view_id, place)
   where saved_views.company_id = $companyId::uuid and saved_views.view_id = listed.view_id`,
)

export const deleteSavedView = defineStatement<never, { companyId: string; viewId: string }>(
  'views.delete',
  `delete from saved_views where saved_views.company_id = $companyId::uuid and saved_views.view_id = $viewId::uuid`,
)
