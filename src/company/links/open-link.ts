import { LRUCache } from 'lru-cache'
import type { DirectoryContext } from '../../context.ts'
import { formatDay } from '../../formats/values/period.ts'
import { toCompany, type Company } from '../../people/companies/company.ts'
import { companyDay } from '../../platform/reads/company-day.ts'
import { notFound } from '../../platform/http/errors/errors.ts'
import type { App } from '../../platform/http/contract.ts'
import type { Rate } from '../../platform/config/config.ts'
import { hashSecret } from '../../platform/keys/secrets.ts'
import { enforceRate } from '../../platform/rate-limit/enforce-rate.ts'
import type { LinkKind, LinkLanguage, SpreadsheetReport } from './link.ts'
import { selectLinkByToken, upsertUse } from './queries.ts'

/** Of each link. */
export const linkRate: Rate = { perMinute: 30, burst: 30 }

/** Links whose use today one process remembers, so that it is written once a day. */
const usesKept = 10_000

export interface OpenedLink {
  linkId: string
  company: Company
  createdBy: string
  language: LinkLanguage
  report: SpreadsheetReport | null
}

/** What opens it in the path: never in a log, which has the pattern of a route alone. */
const filePattern = /^(nrl_[0-9A-Za-z]{43})\.(atom|csv)$/
const endings = { feed: 'atom', sheet: 'csv' } as const

export type OpenLink = (kind: LinkKind, file: string) => Promise<OpenedLink>

/**
 * Opens the link that a path's last part names.
 *
 * @throws 404 for anything that opens nothing, always the same; 429 `rate_limited`
 */
function createOpenLink(context: Pick<DirectoryContext, 'pool' | 'clock'>): OpenLink {
  const { pool, clock } = context
  const usedToday = new LRUCache<string, string>({ max: usesKept })
  return async (kind, file) => {
    const [, token, ending] = filePattern.exec(file) ?? []
    if (token === undefined || ending !== endings[kind]) throw notFound()
    const at = new Date(clock.now())
    const row = await selectLinkByToken.first(pool, { tokenHash: hashSecret(token), kind, at })
    if (row === undefined) throw notFound()
    const { link_id: linkId, company_id: companyId } = row
    await enforceRate(context, `link ${linkId}`, linkRate, 'This link is fetched too often.')
    const company = toCompany(row)
    const day = formatDay(companyDay(company.timeZone, clock.now()))
    if (usedToday.get(linkId) !== day) {
      await upsertUse.run(pool, { companyId, linkId, day, expiresAt: row.expires_at })
      usedToday.set(linkId, day)
    }
    const { created_by: createdBy, language, report } = row
    return { linkId, company, createdBy, language, report }
  }
}

/** Headers of what a link opens: for the one who has it, and in no search engine. */
export const linkHeaders = { 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' } as const

declare module 'fastify' {
  interface FastifyInstance {
    openLink: OpenLink
  }
}

/** To be called once, on the root instance. */
export function decorateLinks(app: App, context: Pick<DirectoryContext, 'pool' | 'clock'>): void {
  app.decorate('openLink', createOpenLink(context))
}
