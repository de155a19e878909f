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
import type { ComponentType } from 'react'
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
import { parseOwnSearch } from './frame/sections.ts'
import { SignedInFrame } from './frame/signed-in-frame.tsx'
import { dayAt } from './language/format-instant.ts'
import { parseMembersSearch } from './members/members-search.ts'
import { companyPages, pages, sourceTabs } from './page-table.ts'
import { annotationsQuery } from './reports/notes/annotations.ts'
import { parseEvidenceSearch } from './reports/evidence/evidence-search.ts'
import { reportQuery } from './reports/report-queries.ts'
import { parseReportSearch } from './reports/report-search.ts'
import { parseReportsSearch } from './reports/reports-search.ts'
import { knownSession } from './session/use-session.ts'
import {
  parseFormSearch,
  parseSourceSearch,
  parseSourcesSearch,
  parseVersionsSearch,
} from './sources/sources-search.ts'
import { NarrowFrame } from './ui/layout/narrow-frame.tsx'
import { parseSearch, stringifySearch } from './ui/search-params.ts'
import { parseViewSearch } from './views/view-search.ts'

// The pages of `page-table.ts` in their frames, with the queries of their addresses.

interface RouterContext {
  client: QueryClient
}

type PageModule = Record<string, ComponentType>
const modules = import.meta.glob<PageModule>(['./**/*-page.tsx', '!./testing/**'])

/** A page's component. Its script is loaded when the page is first opened, or earlier while the browser is idle. */
const lazyPage = ({ file, component }: { file: string; component: string }) =>
  lazyRouteComponent(modules[`./${file}`]!, component)

/**
 * A page of a table below a route.
 *
 * @param validateSearch reads the query of its address; absent where it has none
 */
function createPage<
  Parent extends AnyRoute,
  Table extends Record<string, { file: string; component: string }>,
  Path extends keyof Table & string,
  Search = undefined,
>(parent: Parent, table: Table, path: Path, validateSearch?: Search) {
  const options = {
    getParentRoute: () => parent,
    path,
    component: lazyPage(table[path]!),
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
  component: lazyPage(companyPages['/reports']),
})

const report = createRoute({
  getParentRoute: () => company,
  path: '/reports/$sourceId/$metric',
  validateSearch: parseReportSearch,
  loader: ({ context, params: { companyId, sourceId, metric }, location: { search } }) => {
    const id = { company_id: companyId, source_id: sourceId, metric }
    void prefetch(context, companyId, ({ time_zone, fiscal_year_month }) => {
      const today = dayAt(Date.now(), time_zone)
      const of = parseReportSearch({ ...search })
      void context.client.prefetchQuery(annotationsQuery(id, of, today, fiscal_year_month))
      return context.client.prefetchQuery(reportQuery(id, of, today, fiscal_year_month))
    })
  },
  component: lazyPage(companyPages['/reports/$sourceId/$metric']),
})

const source = createPage(company, companyPages, '/sources/$sourceId', parseSourceSearch)

const routeTree = root.addChildren([
  createPage(root, pages, '/sign-in'),
  frame.addChildren([
    createPage(frame, pages, '/'),
    createPage(frame, pages, '/companies', parseCompaniesSearch),
    createPage(frame, pages, '/apps', parseOwnSearch),
    createPage(frame, pages, '/signatures', parseOwnSearch),
    createPage(frame, pages, '/sessions', parseOwnSearch),
    createPage(frame, pages, '/sandbox-connection'),
    createPage(frame, pages, '/invitations'),
    company.addChildren([
      companyStart,
      reports,
      report,
      createPage(company, companyPages, '/views/new', parseViewSearch),
      createPage(company, companyPages, '/views/$viewId', parseViewSearch),
      createPage(company, companyPages, '/attention'),
      createPage(company, companyPages, '/reports/$sourceId/$metric/evidence', parseEvidenceSearch),
      createPage(company, companyPages, '/sources', parseSourcesSearch),
      createPage(company, companyPages, '/sources/new', parseFormSearch),
      createPage(company, companyPages, '/sources/$sourceId/change', parseFormSearch),
      source.addChildren([
        createPage(source, sourceTabs, '/'),
        createPage(source, sourceTabs, '/start'),
        createPage(source, sourceTabs, '/metrics'),
        createPage(source, sourceTabs, '/versions', parseVersionsSearch),
        createPage(source, sourceTabs, '/settings'),
      ]),
      createPage(company, companyPages, '/connections', parseConnectionsSearch),
      createPage(company, companyPages, '/connections/new', parseNewConnectionSearch),
      createPage(company, companyPages, '/connections/$connectionId', parseConnectionSearch),
      createPage(company, companyPages, '/deliveries', parseDeliveriesSearch),
      createPage(company, companyPages, '/deliveries/$artifactId', parseDeliverySearch),
      createPage(company, companyPages, '/members', parseMembersSearch),
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
