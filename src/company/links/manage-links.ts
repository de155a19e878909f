import type { DirectoryContext } from '../../context.ts'
import { uuidv7 } from '../../formats/values/uuidv7.ts'
import { lockCompany } from '../../people/companies/lock-company.ts'
import { requireKept } from '../../people/companies/require-kept.ts'
import type { Actor } from '../../people/members/actor.ts'
import { lockRole, requireRole } from '../../people/members/require-role.ts'
import { inDirectoryTransaction } from '../../platform/database/directory/directory-transaction.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { checkDisplayText } from '../../platform/http/requests/check-display-text.ts'
import { conflict, invalidArgument, notFound } from '../../platform/http/errors/errors.ts'
import { hashSecret, newSecret } from '../../platform/keys/secrets.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import {
  linkDaysMax,
  linksMax,
  type Link,
  type LinkKind,
  type LinkLanguage,
  type SpreadsheetReport,
} from './link.ts'
import {
  countLinks,
  deleteLink,
  deleteLinksOf,
  deleteUse,
  insertLink,
  selectIsSourceOf,
  selectLinks,
  type LinkRow,
} from './queries.ts'

const dayMs = 86_400_000

type Member = Exclude<Actor, 'operator'>

interface NewLink {
  kind: LinkKind
  name: string
  days: number
  language: LinkLanguage
  report: SpreadsheetReport | null
}

function toLink(row: LinkRow): Link {
  return {
    linkId: row.link_id,
    kind: row.kind,
    name: row.name,
    report: row.report,
    createdBy: { memberId: row.created_by, name: row.created_by_name },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    usedOn: row.used_on,
  }
}

/** @throws 403, 404 as `requireRole`, for developers */
export async function listLinks(
  { pool }: Pick<DirectoryContext, 'pool'>,
  actor: Actor,
  companyId: string,
): Promise<Link[]> {
  await requireRole(pool, actor, companyId, 'developer')
  return (await selectLinks.rows(pool, { companyId })).map(toLink)
}

/** @throws 400 with the field */
function checkInput({ kind, name, days, report }: NewLink): string {
  if (!Number.isInteger(days) || days < 1 || days > linkDaysMax) {
    throw invalidArgument(`It must be a whole number from 1 to ${linkDaysMax}.`, 'days')
  }
  if ((kind === 'sheet') !== (report !== null)) {
    throw invalidArgument('A spreadsheet needs a report, and a feed has none.', 'report')
  }
  return checkDisplayText(name, 'name')
}

/**
 * Makes an address with which programs read one thing of a company, without a credential. It ends when its creator no longer
 * manages the company.
 *
 * @returns the address, which is never shown again
 * @throws 400 with the field; 403, 404 as `requireRole`, for developers; 404 for a source of another company; 409 `conflict`
 *   beyond `linksMax`
 */
export async function createLink(
  context: Pick<DirectoryContext, 'pool' | 'clock' | 'config'>,
  actor: Member,
  companyId: string,
  input: NewLink,
): Promise<{ link: Link; address: string }> {
  const name = checkInput(input)
  const { kind, days, report, language } = input
  return inDirectoryTransaction(context.pool, async (client) => {
    await lockCompany(client, companyId)
    await lockRole(client, actor, companyId, 'developer')
    await requireKept(client, companyId)
    if (report !== null) {
      const source = await selectIsSourceOf.first(client, { companyId, sourceId: report.source_id })
      if (!source!.found) throw notFound()
    }
    if ((await countLinks.first(client, { companyId }))!.links >= linksMax) {
      throw conflict(`The company has ${linksMax} read-only links: end one first.`)
    }
    const now = context.clock.now()
    const [token, linkId] = [newSecret('nrl_'), uuidv7(now)]
    await insertLink.run(client, {
      companyId,
      linkId,
      kind,
      name,
      tokenHash: hashSecret(token),
      report: report && JSON.stringify(report),
      language,
      createdBy: actor.memberId,
      createdAt: new Date(now),
      expiresAt: new Date(now + days * dayMs),
    })
    await recordAct(client, { actor, companyId, action: 'link_created', kind, name, atMs: now })
    const listed = await selectLinks.rows(client, { companyId })
    const path = kind === 'feed' ? `feeds/${token}.atom` : `sheets/${token}.csv`
    const link = toLink(listed.find((row) => row.link_id === linkId)!)
    return { link, address: `${context.config.baseUrl}/${path}` }
  })
}

/** From the next call on it opens nothing. @throws 403, 404 as `requireRole`, for developers; 404 if there is none */
export async function endLink(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  actor: Member,
  companyId: string,
  linkId: string,
): Promise<void> {
  await inDirectoryTransaction(context.pool, async (client) => {
    await lockRole(client, actor, companyId, 'developer')
    const link = await deleteLink.first(client, { companyId, linkId })
    if (link === undefined) throw notFound()
    await deleteUse.run(client, { companyId, linkId })
    await recordAct(client, { actor, companyId, action: 'link_ended', ...link, atMs: context.clock.now() })
  })
}

/** Ends the links of a member who leaves. They stay ended if the member comes back. */
export async function endLinksOf(on: Queryable, companyId: string, memberId: string): Promise<void> {
  await deleteLinksOf.run(on, { companyId, memberId })
}

async function recordAct(
  on: Queryable,
  act: {
    actor: Member
    companyId: string
    action: 'link_created' | 'link_ended'
    kind: LinkKind
    name: string
    atMs: number
  },
): Promise<void> {
  const { actor, companyId, action, kind, name, atMs } = act
  const subject = { kind: 'company', id: companyId, name } as const
  await recordAuditEvent(on, { companyId, actor, action, subject, details: { link: kind }, atMs })
}
