import { companyColumns, type CompanyRow } from '../../people/companies/company.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { selectsFromTable } from '../../platform/database/schemas.ts'
import { linksMax, type LinkKind, type LinkLanguage, type SpreadsheetReport } from './link.ts'

export interface LinkRow {
  link_id: string
  kind: LinkKind
  name: string
  report: SpreadsheetReport | null
  created_by: string
  created_by_name: string | null
  created_at: Date
  expires_at: Date
  used_on: string | null
}

/** Newest first, with those that have ended until the expiry sweep deletes them. */
export const selectLinks = defineStatement<LinkRow, { companyId: string }>(
  'links.select',
  `select links.link_id, links.kind, links.name, links.report, links.created_by, members.name as created_by_name,
     links.created_at, links.expires_at, link_uses.used_on
   from links
   join members on members.member_id = links.created_by
   left join link_uses on link_uses.company_id = links.company_id and link_uses.link_id = links.link_id
   where links.company_id = $companyId::uuid
   order by links.link_id desc
   limit ${linksMax}`,
)

export const countLinks = defineStatement<{ links: number }, { companyId: string }>(
  'links.count',
  `select count(*)::int4 as links from links where company_id = $companyId::uuid`,
)

export const selectIsSourceOf = defineStatement<{ found: boolean }, { companyId: string; sourceId: string }>(
  'links.select-is-source-of',
  `select exists (
     select from source_names where source_id = $sourceId::uuid and company_id = $companyId::uuid
   ) as found
   limit 1`,
)

export const insertLink = defineStatement<
  never,
  {
    companyId: string
    linkId: string
    kind: LinkKind
    name: string
    tokenHash: Buffer
    report: string | null
    language: LinkLanguage
    createdBy: string
    createdAt: Date
    expiresAt: Date
  }
>(
  'links.insert',
  `insert into links (company_id, link_id, kind, name, token_hash, report, language, created_by, created_at, expires_at)
   values ($companyId::uuid, $linkId::uuid, $kind::text, $name::text, $tokenHash::bytea, $report::jsonb,
     $language::text, $createdBy::uuid, $createdAt::timestamptz, $expiresAt::timestamptz)`,
)

/** No row if there is none. */
export const deleteLink = defineStatement<
  { kind: LinkKind; name: string },
  { companyId: string; linkId: string }
>(
  'links.delete',
  `delete from links where company_id = $companyId::uuid and link_id = $linkId::uuid returning kind, name`,
)

export const deleteUse = defineStatement<never, { companyId: string; linkId: string }>(
  'links.delete-use',
  `delete from link_uses where company_id = $companyId::uuid and link_id = $linkId::uuid`,
)

export const deleteLinksOf = defineStatement<never, { companyId: string; memberId: string }>(
  'links.delete-of-member',
  `delete from links where company_id = $companyId::uuid and created_by = $memberId::uuid`,
)

export type OpenedLinkRow = CompanyRow & {
  link_id: string
  report: SpreadsheetReport | null
  language: LinkLanguage
  created_by: string
  expires_at: Date
}

/** The link of a token, unless it has ended, its creator manages the company no more, or the operator has stopped tokens. */
export const selectLinkByToken = defineStatement<
  OpenedLinkRow,
  { tokenHash: Buffer; kind: LinkKind; at: Date }
>(
  'links.select-by-token',
  `select ${companyColumns}, links.link_id, links.report, links.language, links.created_by, links.expires_at
   from links
   join companies on companies.company_id = links.company_id
   join memberships on memberships.company_id = links.company_id and memberships.member_id = links.created_by
     and memberships.role in ('owner', 'developer')
   where links.token_hash = $tokenHash::bytea and links.kind = $kind::text and links.expires_at > $at::timestamptz
     and not exists (select from deployment_switches where deployment_switches.name = 'tokens')`,
)

export const upsertUse = defineStatement<
  never,
  { companyId: string; linkId: string; day: string; expiresAt: Date }
>(
  'links.upsert-use',
  `insert into link_uses as uses (company_id, link_id, used_on, expires_at)
   select $companyId::uuid, $linkId::uuid, $day::date, $expiresAt::timestamptz
   where ${selectsFromTable}
   on conflict (company_id, link_id) do update set used_on = excluded.used_on
   where uses.used_on < excluded.used_on`,
)
