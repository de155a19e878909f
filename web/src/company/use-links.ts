import { useCompany } from './company.ts'
import { type FigureQuery, toFigureSearch } from './figure-address.ts'

function linkTo<To extends string, Params>(to: To, params: Params): { to: To; params: Params } {
  return { to, params }
}

/** The pages of the address's company, as `Link` and its like take them: `<Link {...links.source(source_id)}>`. */
export function useLinks() {
  const { company_id: companyId } = useCompany()
  const params = { companyId }
  return {
    attention: linkTo('/companies/$companyId/attention', params),
    connection: (connectionId: string) =>
      linkTo('/companies/$companyId/connections/$connectionId', { companyId, connectionId }),
    connections: linkTo('/companies/$companyId/connections', params),
    newConnection: linkTo('/companies/$companyId/connections/new', params),
    deliveries: linkTo('/companies/$companyId/deliveries', params),
    delivery: (artifactId: string) =>
      linkTo('/companies/$companyId/deliveries/$artifactId', { companyId, artifactId }),
    /** Opened at the rows that count for a figure. */
    figureRows: (artifactId: string, figure: FigureQuery) => ({
      ...linkTo('/companies/$companyId/deliveries/$artifactId', { companyId, artifactId }),
      search: toFigureSearch(figure),
    }),
    members: linkTo('/companies/$companyId/members', params),
    reports: linkTo('/companies/$companyId/reports', params),
    report: (sourceId: string, metric: string) =>
      linkTo('/companies/$companyId/reports/$sourceId/$metric', { companyId, sourceId, metric }),
    newView: linkTo('/companies/$companyId/views/new', params),
    view: (viewId: string) => linkTo('/companies/$companyId/views/$viewId', { companyId, viewId }),
    evidence: (sourceId: string, metric: string) =>
      linkTo('/companies/$companyId/reports/$sourceId/$metric/evidence', { companyId, sourceId, metric }),
    sources: linkTo('/companies/$companyId/sources', params),
    newSource: linkTo('/companies/$companyId/sources/new', params),
    source: (sourceId: string) => linkTo('/companies/$companyId/sources/$sourceId', { companyId, sourceId }),
    sourceStart: (sourceId: string) =>
      linkTo('/companies/$companyId/sources/$sourceId/start', { companyId, sourceId }),
    sourceMetrics: (sourceId: string) =>
      linkTo('/companies/$companyId/sources/$sourceId/metrics', { companyId, sourceId }),
    sourceVersions: (sourceId: string) =>
      linkTo('/companies/$companyId/sources/$sourceId/versions', { companyId, sourceId }),
    sourceSettings: (sourceId: string) =>
      linkTo('/companies/$companyId/sources/$sourceId/settings', { companyId, sourceId }),
    changeSource: (sourceId: string) =>
      linkTo('/companies/$companyId/sources/$sourceId/change', { companyId, sourceId }),
  }
}
