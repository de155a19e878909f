import type { QueryClient } from '@tanstack/react-query'
import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  type ResolveFullPath,
  type ResolveId,
} from '@tanstack/react-router'
import { parseCompaniesSearch } from './companies/companies-search.ts'
import {
  parseConnectionSearch,
  parseConnectionsSearch,
  parseNewConnectionSearch,
} from './connections/list/connections-search.ts'
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
import { NarrowFrame } from './ui/layout/narrow-frame.tsx'
import { parseSearch, stringifySearch } from './ui/search-params.ts'

// Every page by its address. The addresses and their queries are known from the start; the script of a page is loaded
// when the page is first opened. The service serves the document at the same addresses (src/platform/web-app/page-addresses.ts).

interface RouterContext {
  client: QueryClient
}

/**
 * A page whose script is loaded when it is first opened.
 *
 * @param validateSearch reads the query of its address; absent where it has none
 */
function createPage<Parent extends AnyRoute, Path extends string, Module extends object, Search = undefined>(
  parent: Parent,
  path: Path,
  load: () => Promise<Module>,
  name: keyof Module & string,
  validateSearch?: Search,
) {
  const options = {
    getParentRoute: () => parent,
    path,
    component: lazyRouteComponent(load, name),
    ...(validateSearch !== undefined && { validateSearch }),
  }
  return createRoute<
    unknown,
    Parent,
    Path,
    ResolveFullPath<Parent, Path>,
    string,
    ResolveId<Parent, string, Path>,
    Search
  >(options as never)
}

/** Fetches data of a page while its script is loading, where the person belongs to the company. */
async function prefetch(
  { client }: RouterContext,
  companyId: string,
  fetch: (company: Company) => Promise<void>,
): Promise<void> {
  const companies = (await knownSession(client))?.companies
  const company = companies?.find(({ company_id }) => company_id === companyId)
  if (company !== undefined) await fetch(company)
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

const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  component: SignedInFrame,
  errorComponent: BrokenPage,
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
    void prefetch(context, companyId, () => context.client.prefetchInfiniteQuery(reportsQuery(companyId)))
  },
  component: lazyRouteComponent(() => import('./reports/reports-page.tsx'), 'ReportsPage'),
})

const report = createRoute({
  getParentRoute: () => company,
  path: '/reports/$sourceId/$metric',
  validateSearch: parseReportSearch,
  loader: ({ context, params: { companyId, sourceId, metric }, location: { search } }) => {
    const id = { company_id: companyId, source_id: sourceId, metric }
    void prefetch(context, companyId, ({ time_zone }) => {
      const today = dayAt(Date.now(), time_zone)
      return context.client.prefetchQuery(reportQuery(id, parseReportSearch({ ...search }), today))
    })
  },
  component: lazyRouteComponent(() => import('./reports/report-page.tsx'), 'ReportPage'),
})

const loadCompanies = () => import('./companies/companies-page.tsx')
const loadSource = () => import('./sources/source-page.tsx')
const loadSourceForm = () => import('./sources/source-form-page.tsx')
const source = createPage(company, '/sources/$sourceId', loadSource, 'SourcePage')

const routeTree = root.addChildren([
  createPage(root, '/sign-in', () => import('./session/sign-in-page.tsx'), 'SignInPage'),
  frame.addChildren([
    createPage(frame, '/', loadCompanies, 'StartPage'),
    createPage(frame, '/companies', loadCompanies, 'CompaniesPage', parseCompaniesSearch),
    createPage(frame, '/apps', () => import('./apps/apps-page.tsx'), 'AppsPage'),
    createPage(frame, '/signatures', () => import('./signatures/signatures-page.tsx'), 'SignaturesPage'),
    createPage(frame, '/sessions', () => import('./sessions/sessions-page.tsx'), 'SessionsPage'),
    createPage(
      frame,
      '/sandbox-connection',
      () => import('./connections/create/sandbox-page.tsx'),
      'SandboxPage',
    ),
    createPage(frame, '/invitations', () => import('./invitation/invitation-page.tsx'), 'InvitationPage'),
    company.addChildren([
      companyStart,
      reports,
      report,
      createPage(
        company,
        '/sources',
        () => import('./sources/sources-page.tsx'),
        'SourcesPage',
        parseSourcesSearch,
      ),
      createPage(company, '/sources/new', loadSourceForm, 'NewSourcePage', parseFormSearch),
      createPage(company, '/sources/$sourceId/change', loadSourceForm, 'ChangeSourcePage', parseFormSearch),
      source.addChildren([
        createPage(source, '/', loadSource, 'QuickStartTab'),
        createPage(source, '/metrics', loadSource, 'MetricsTab'),
        createPage(source, '/versions', loadSource, 'VersionsTab', parseVersionsSearch),
        createPage(source, '/settings', loadSource, 'SettingsTab'),
      ]),
      createPage(
        company,
        '/connections',
        () => import('./connections/list/connections-page.tsx'),
        'ConnectionsPage',
        parseConnectionsSearch,
      ),
      createPage(
        company,
        '/connections/new',
        () => import('./connections/create/new-connection-page.tsx'),
        'NewConnectionPage',
        parseNewConnectionSearch,
      ),
      createPage(
        company,
        '/connections/$connectionId',
        () => import('./connections/connection-page.tsx'),
        'ConnectionPage',
        parseConnectionSearch,
      ),
      createPage(
        company,
        '/deliveries',
        () => import('./deliveries/deliveries-page.tsx'),
        'DeliveriesPage',
        parseDeliveriesSearch,
      ),
      createPage(
        company,
        '/deliveries/$artifactId',
        () => import('./deliveries/delivery-page.tsx'),
        'DeliveryPage',
        parseDeliverySearch,
      ),
      createPage(
        company,
        '/members',
        () => import('./members/members-page.tsx'),
        'MembersPage',
        parseMembersSearch,
      ),
    ]),
  ]),
])

export function createPagesRouter(client: QueryClient) {
  return createRouter({
    routeTree,
    context: { client } satisfies RouterContext,
    parseSearch,
    stringifySearch,
    trailingSlash: 'never',
    // Pointing at a link loads what it leads to.
    defaultPreload: 'intent',
    // The query client caches the data.
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
