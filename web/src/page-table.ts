import { reportsPerPage } from './company/reports-per-page.ts'

// The address of every page, with the module that shows it. `routes.tsx` is built from this table, and so is
// `dist/pages.json`, which tells the service where to serve the pages (`build-pages-table.ts`, which runs in Node).

interface Page {
  /** In this folder. */
  file: `${string}-page.tsx`
  /** The export of the file that the address shows. */
  component: string
  /** What the page requests first, in addition to the session. */
  calls?: readonly string[]
  /** False where nothing may redirect to the page. */
  isReturnable?: false
}

const reports = {
  file: 'reports/reports-page.tsx',
  component: 'ReportsPage',
  calls: [
    `/console/companies/$companyId/reports?limit=${reportsPerPage}`,
    '/console/companies/$companyId/views',
  ],
} as const
const sourceForm = 'sources/source-form-page.tsx'
const source = 'sources/source-page.tsx'

/** Shown by `main.tsx`, without a router. */
export const pagesWithoutRouter = {
  '/consent': { file: 'consent/consent-page.tsx', component: 'ConsentPage' },
  // BankID's app opens it, with the proof of that in its fragment.
  '/bankid/return': { file: 'identity/return-page.tsx', component: 'ReturnPage', isReturnable: false },
} as const satisfies Record<string, Page>

export const pages = {
  '/': { file: 'companies/companies-page.tsx', component: 'StartPage' },
  '/sign-in': { file: 'session/sign-in-page.tsx', component: 'SignInPage' },
  '/companies': { file: 'companies/companies-page.tsx', component: 'CompaniesPage' },
  '/apps': { file: 'apps/apps-page.tsx', component: 'AppsPage' },
  '/signatures': { file: 'signatures/signatures-page.tsx', component: 'SignaturesPage' },
  '/sessions': { file: 'sessions/sessions-page.tsx', component: 'SessionsPage' },
  '/sandbox-connection': { file: 'connections/create/sandbox-page.tsx', component: 'SandboxPage' },
  '/invitations': { file: 'invitation/invitation-page.tsx', component: 'InvitationPage' },
} as const satisfies Record<string, Page>

/** Below `/companies/$companyId`. */
export const companyPages = {
  // Redirects to the reports.
  '/': reports,
  '/reports': reports,
  '/reports/$sourceId/$metric': { file: 'reports/report-page.tsx', component: 'ReportPage' },
  '/views/new': { file: 'views/view-page.tsx', component: 'NewViewPage' },
  '/views/$viewId': { file: 'views/view-page.tsx', component: 'ViewPage' },
  '/attention': {
    file: 'attention/attention-page.tsx',
    component: 'AttentionPage',
    calls: ['/console/companies/$companyId/attention'],
  },
  '/reports/$sourceId/$metric/evidence': {
    file: 'reports/evidence/evidence-page.tsx',
    component: 'EvidencePage',
  },
  '/sources': { file: 'sources/sources-page.tsx', component: 'SourcesPage' },
  '/sources/new': { file: sourceForm, component: 'NewSourcePage' },
  '/sources/$sourceId/change': { file: sourceForm, component: 'ChangeSourcePage' },
  '/sources/$sourceId': { file: source, component: 'SourcePage' },
  '/connections': { file: 'connections/list/connections-page.tsx', component: 'ConnectionsPage' },
  '/connections/new': { file: 'connections/create/new-connection-page.tsx', component: 'NewConnectionPage' },
  '/connections/$connectionId': { file: 'connections/connection-page.tsx', component: 'ConnectionPage' },
  '/deliveries': { file: 'deliveries/deliveries-page.tsx', component: 'DeliveriesPage' },
  '/deliveries/$artifactId': { file: 'deliveries/delivery-page.tsx', component: 'DeliveryPage' },
  '/members': { file: 'members/members-page.tsx', component: 'MembersPage' },
} as const satisfies Record<string, Page>

/** The tabs of a source, below `/companies/$companyId/sources/$sourceId`. */
export const sourceTabs = {
  '/': { file: source, component: 'OverviewTab' },
  '/start': { file: source, component: 'QuickStartTab' },
  '/metrics': { file: source, component: 'MetricsTab' },
  '/versions': { file: source, component: 'VersionsTab' },
  '/settings': { file: source, component: 'SettingsTab' },
} as const satisfies Record<string, Page>

/** Every page by its full address. */
export function listPages(): Map<string, Page> {
  const company = '/companies/$companyId'
  const below = (base: string, table: Readonly<Record<string, Page>>): [string, Page][] =>
    Object.entries(table).map(([path, page]) => [path === '/' ? base : `${base}${path}`, page])
  return new Map([
    ...Object.entries<Page>({ ...pages, ...pagesWithoutRouter }),
    ...below(company, companyPages),
    ...below(`${company}/sources/$sourceId`, sourceTabs),
  ])
}
