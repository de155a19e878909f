import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { parseCompaniesSearch } from './companies/companies-search.ts'
import {
  parseConnectionSearch,
  parseConnectionsSearch,
  parseNewConnectionSearch,
} from './connections/connections-search.ts'
import { parseDeliveriesSearch, parseDeliverySearch } from './deliveries/deliveries-search.ts'
import type { Company } from './company/company.ts'
import { reportsQuery } from './company/report-list.ts'
import { CompanyFrame } from './frame/company-frame.tsx'
import { BrokenPage, UnknownPage } from './frame/problem.tsx'
import { SignedInFrame } from './frame/signed-in-frame.tsx'
import { dayAt } from './language/format-instant.ts'
import { parseMembersSearch } from './members/members-search.ts'
import { reportQuery } from './reports/report-queries.ts'
import { parseReportSearch } from './reports/report-search.ts'
import { parseReportsSearch } from './reports/reports-search.ts'
import { knownSession } from './session/use-session.ts'
import { parseFormSearch, parseSourcesSearch, parseVersionsSearch } from './sources/sources-search.ts'
import { NarrowFrame } from './ui/narrow-frame.tsx'
import { parseSearch, stringifySearch } from './ui/search-params.ts'

// Every page by its address. Each comes with the first visit to it; the addresses themselves, and what their queries may
// say, are known from the start. The service serves the document at the same ones (src/http/page-addresses.ts).

/** What addresses ask for ahead is asked for with it. */
interface RouterContext {
  client: QueryClient
}

const root = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  notFoundComponent: () => (
    <NarrowFrame>
      <UnknownPage />
    </NarrowFrame>
  ),
  errorComponent: ({ error }) => (
    <NarrowFrame>
      <BrokenPage error={error} />
    </NarrowFrame>
  ),
})

// What a page shows is asked for while its scripts come, and when a link to it is pointed at: it waits for none of it.

/** Once it is known that the person belongs to the company; who does not is told so, and nothing is asked for. */
async function askAhead(
  { client }: RouterContext,
  companyId: string,
  ask: (company: Company) => Promise<void>,
): Promise<void> {
  const companies = (await knownSession(client))?.companies
  const company = companies?.find(({ company_id }) => company_id === companyId)
  if (company !== undefined) await ask(company)
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./session/sign-in-page.tsx'), 'SignInPage'),
})

const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  component: SignedInFrame,
  errorComponent: BrokenPage,
})

const start = createRoute({
  getParentRoute: () => frame,
  path: '/',
  component: lazyRouteComponent(() => import('./companies/companies-page.tsx'), 'StartPage'),
})

const companies = createRoute({
  getParentRoute: () => frame,
  path: '/companies',
  validateSearch: parseCompaniesSearch,
  component: lazyRouteComponent(() => import('./companies/companies-page.tsx'), 'CompaniesPage'),
})

const apps = createRoute({
  getParentRoute: () => frame,
  path: '/apps',
  component: lazyRouteComponent(() => import('./apps/apps-page.tsx'), 'AppsPage'),
})

const signatures = createRoute({
  getParentRoute: () => frame,
  path: '/signatures',
  component: lazyRouteComponent(() => import('./signatures/signatures-page.tsx'), 'SignaturesPage'),
})

const sessions = createRoute({
  getParentRoute: () => frame,
  path: '/sessions',
  component: lazyRouteComponent(() => import('./sessions/sessions-page.tsx'), 'SessionsPage'),
})

const sandbox = createRoute({
  getParentRoute: () => frame,
  path: '/sandbox-connection',
  component: lazyRouteComponent(() => import('./connections/sandbox-page.tsx'), 'SandboxPage'),
})

const invitation = createRoute({
  getParentRoute: () => frame,
  path: '/invitations',
  component: lazyRouteComponent(() => import('./invitation/invitation-page.tsx'), 'InvitationPage'),
})

const company = createRoute({
  getParentRoute: () => frame,
  path: '/companies/$companyId',
  component: CompanyFrame,
  notFoundComponent: UnknownPage,
})

const companyStart = createRoute({
  getParentRoute: () => company,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/companies/$companyId/reports', params, replace: true })
  },
})

const reports = createRoute({
  getParentRoute: () => company,
  path: '/reports',
  validateSearch: parseReportsSearch,
  loader: ({ context, params: { companyId } }) => {
    void askAhead(context, companyId, () => context.client.prefetchInfiniteQuery(reportsQuery(companyId)))
  },
  component: lazyRouteComponent(() => import('./reports/reports-page.tsx'), 'ReportsPage'),
})

const report = createRoute({
  getParentRoute: () => company,
  path: '/reports/$sourceId/$metric',
  validateSearch: parseReportSearch,
  loader: ({ context, params: { companyId, sourceId, metric }, location: { search } }) => {
    const id = { company_id: companyId, source_id: sourceId, metric }
    void askAhead(context, companyId, ({ time_zone }) => {
      const today = dayAt(Date.now(), time_zone)
      return context.client.prefetchQuery(reportQuery(id, parseReportSearch({ ...search }), today))
    })
  },
  component: lazyRouteComponent(() => import('./reports/report-page.tsx'), 'ReportPage'),
})

const sources = createRoute({
  getParentRoute: () => company,
  path: '/sources',
  validateSearch: parseSourcesSearch,
  component: lazyRouteComponent(() => import('./sources/sources-page.tsx'), 'SourcesPage'),
})

const source = createRoute({
  getParentRoute: () => company,
  path: '/sources/$sourceId',
  component: lazyRouteComponent(() => import('./sources/source-page.tsx'), 'SourcePage'),
})

const sourceStart = createRoute({
  getParentRoute: () => source,
  path: '/',
  component: lazyRouteComponent(() => import('./sources/source-page.tsx'), 'QuickStartTab'),
})

const sourceMetrics = createRoute({
  getParentRoute: () => source,
  path: '/metrics',
  component: lazyRouteComponent(() => import('./sources/source-page.tsx'), 'MetricsTab'),
})

const sourceVersions = createRoute({
  getParentRoute: () => source,
  path: '/versions',
  validateSearch: parseVersionsSearch,
  component: lazyRouteComponent(() => import('./sources/source-page.tsx'), 'VersionsTab'),
})

const sourceSettings = createRoute({
  getParentRoute: () => source,
  path: '/settings',
  component: lazyRouteComponent(() => import('./sources/source-page.tsx'), 'SettingsTab'),
})

const newSource = createRoute({
  getParentRoute: () => company,
  path: '/sources/new',
  validateSearch: parseFormSearch,
  component: lazyRouteComponent(() => import('./sources/source-form-page.tsx'), 'NewSourcePage'),
})

const changeSource = createRoute({
  getParentRoute: () => company,
  path: '/sources/$sourceId/change',
  validateSearch: parseFormSearch,
  component: lazyRouteComponent(() => import('./sources/source-form-page.tsx'), 'ChangeSourcePage'),
})

const connections = createRoute({
  getParentRoute: () => company,
  path: '/connections',
  validateSearch: parseConnectionsSearch,
  component: lazyRouteComponent(() => import('./connections/connections-page.tsx'), 'ConnectionsPage'),
})

const newConnection = createRoute({
  getParentRoute: () => company,
  path: '/connections/new',
  validateSearch: parseNewConnectionSearch,
  component: lazyRouteComponent(() => import('./connections/new-connection-page.tsx'), 'NewConnectionPage'),
})

const connection = createRoute({
  getParentRoute: () => company,
  path: '/connections/$connectionId',
  validateSearch: parseConnectionSearch,
  component: lazyRouteComponent(() => import('./connections/connection-page.tsx'), 'ConnectionPage'),
})

const deliveries = createRoute({
  getParentRoute: () => company,
  path: '/deliveries',
  validateSearch: parseDeliveriesSearch,
  component: lazyRouteComponent(() => import('./deliveries/deliveries-page.tsx'), 'DeliveriesPage'),
})

const delivery = createRoute({
  getParentRoute: () => company,
  path: '/deliveries/$artifactId',
  validateSearch: parseDeliverySearch,
  component: lazyRouteComponent(() => import('./deliveries/delivery-page.tsx'), 'DeliveryPage'),
})

const members = createRoute({
  getParentRoute: () => company,
  path: '/members',
  validateSearch: parseMembersSearch,
  component: lazyRouteComponent(() => import('./members/members-page.tsx'), 'MembersPage'),
})

const routeTree = root.addChildren([
  signIn,
  frame.addChildren([
    start,
    companies,
    apps,
    signatures,
    sessions,
    sandbox,
    invitation,
    company.addChildren([
      companyStart,
      reports,
      report,
      sources,
      newSource,
      changeSource,
      source.addChildren([sourceStart, sourceMetrics, sourceVersions, sourceSettings]),
      connections,
      newConnection,
      connection,
      deliveries,
      delivery,
      members,
    ]),
  ]),
])

/**
 * The router of the pages; those who write one find its addresses and queries in the types of `Link` and `useSearch`.
 *
 * @param client for what is asked for ahead
 */
export function createPagesRouter(client: QueryClient) {
  return createRouter({
    routeTree,
    context: { client } satisfies RouterContext,
    parseSearch,
    stringifySearch,
    trailingSlash: 'never',
    // What a link leads to is loaded when it is pointed at.
    defaultPreload: 'intent',
    // Whoever comes again asks again; what is known of the answers is the client's to say.
    defaultGcTime: 0,
    scrollRestoration: true,
    defaultErrorComponent: BrokenPage,
    defaultNotFoundComponent: UnknownPage,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPagesRouter>
  }
}
