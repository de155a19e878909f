const company = '/companies/:company_id'

/** The one page that BankID's app opens: it posts the proof that it was opened with, and the service never redirects from it. */
export const returnPage = '/bankid/return'

/** The consent page, for people who come back to it: `/oauth/authorize` redirects, so no order leads there. */
export const consentPage = '/consent'

/** The addresses of the web app (`web/src/routes.tsx`) apart from the consent page, each with the file of its page. */
export const pageAt: Readonly<Record<string, string>> = {
  '/sign-in': 'sign-in-page',
  [returnPage]: 'return-page',
  '/apps': 'apps-page',
  '/signatures': 'signatures-page',
  '/sessions': 'sessions-page',
  '/invitations': 'invitation-page',
  '/sandbox-connection': 'sandbox-page',
  '/companies': 'companies-page',
  // Leads on to the reports.
  [company]: 'reports-page',
  [`${company}/reports`]: 'reports-page',
  [`${company}/reports/:source_id/:metric`]: 'report-page',
  [`${company}/sources`]: 'sources-page',
  [`${company}/sources/:source_id`]: 'source-page',
  [`${company}/sources/:source_id/:tab`]: 'source-page',
  [`${company}/connections`]: 'connections-page',
  [`${company}/connections/:connection_id`]: 'connection-page',
  [`${company}/deliveries`]: 'deliveries-page',
  [`${company}/deliveries/:artifact_id`]: 'delivery-page',
  [`${company}/members`]: 'members-page',
}

/** In the place of a parameter: ids and names alone, so that a path can neither climb nor hide a sign behind a percent. */
const parameter = '[\\w-]+'

const returnablePaths = [consentPage, ...Object.keys(pageAt)]
  .filter((address) => address !== returnPage)
  .map((address) => address.slice(1).replaceAll(/:\w+/g, parameter))
/** The query has any visible character of ASCII but `#`. */
const returnable = new RegExp(`^/(?:(?:${returnablePaths.join('|')})/?)?(?:\\?[!"$-~]*)?$`)

/**
 * Whether a path, with its query, is the address of a page that a person may be led back to. It has no fragment: a browser
 * would keep that through a redirect (RFC 9110, section 10.2.2).
 */
export function isReturnablePage(target: string): boolean {
  return returnable.test(target)
}
