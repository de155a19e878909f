import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { fileAddress } from '../../api/call-api.ts'
import { useCompany } from '../../company/company.ts'
import { useLinks } from '../../company/use-links.ts'
import { addTexts, useTexts } from '../../language/language.ts'
import { en } from '../../language/en/evidence.ts'
import { en as reportsEn } from '../../language/en/reports.ts'
import { en as sourcesEn } from '../../language/en/sources.ts'
import { sv } from '../../language/sv/evidence.ts'
import { sv as reportsSv } from '../../language/sv/reports.ts'
import { sv as sourcesSv } from '../../language/sv/sources.ts'
import { Button, ButtonAnchor, Buttons } from '../../ui/controls/button.tsx'
import { CopyButton } from '../../ui/display/copy.tsx'
import { Empty } from '../../ui/feedback/empty-start.tsx'
import { Loaded } from '../../ui/feedback/loaded.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { PageHead, Path } from '../../ui/layout/page-head.tsx'
import { useNames } from '../names.ts'
import { useAwaitsNames } from '../value-names.ts'
import type { ReportId } from '../report-queries.ts'
import { EvidenceDocument } from './evidence-document.tsx'
import { type Evidence, evidenceQuery, toEvidenceRequest } from './evidence-query.ts'

addTexts('evidence', { en, sv })
addTexts('reports', { en: reportsEn, sv: reportsSv })
// The sentence of a metric.
addTexts('sources', { en: sourcesEn, sv: sourcesSv })

const route = getRouteApi('/frame/companies/$companyId/reports/$sourceId/$metric/evidence')

/** What proves a figure, as a document (`/companies/{id}/reports/{source}/{metric}/evidence`). */
export function EvidencePage() {
  const t = useTexts('evidence')
  const { sourceId, metric } = route.useParams()
  const { company_id } = useCompany()
  const links = useLinks()
  const names = useNames()
  const id = { company_id, source_id: sourceId, metric }
  const { data, error, refetch } = useFrozen(id)
  const awaitsNames = useAwaitsNames()
  const search = route.useSearch()
  const known = data?.details
  const name = names.metric(metric, known?.metric_name ?? metric)
  const isNothing = error instanceof ApiError && error.status === 404
  return (
    <Page>
      <PageHead
        title={t('title')}
        line={data === undefined ? '\u00A0' : <FigureLine evidence={data} name={name} />}
        path={
          <Path>
            <Link {...links.reports}>{useTexts('reports')('title')}</Link>
            <Link {...links.report(sourceId, metric)}>
              <bdi>{name}</bdi>
            </Link>
            <span>{t('title')}</span>
          </Path>
        }
        actions={data !== undefined && <Actions id={id} />}
      />
      {search.trace === undefined ? (
        <Empty title={t('noTrace')}>{t('noTraceText')}</Empty>
      ) : isNothing ? (
        <Empty title={t('none')}>{t('noneText')}</Empty>
      ) : (
        <Loaded query={{ data: awaitsNames ? undefined : data, error, refetch }}>
          {(evidence) => <EvidenceDocument evidence={evidence} />}
        </Loaded>
      )}
    </Page>
  )
}

/** The evidence of the address, which names its instant from the first answer on. */
function useFrozen(id: ReportId) {
  const search = route.useSearch()
  const navigate = useNavigate()
  const client = useQueryClient()
  const query = useQuery(evidenceQuery(id, search))
  const as_of = query.data?.content.as_of
  useEffect(() => {
    if (search.as_of !== undefined || as_of === undefined) return
    const frozen = { ...search, as_of }
    client.setQueryData(evidenceQuery(id, frozen).queryKey, query.data)
    void navigate({ to: '.', search: frozen, replace: true, resetScroll: false })
  })
  return query
}

function FigureLine({ evidence: { content }, name }: { evidence: Evidence; name: string }) {
  const t = useTexts('evidence')
  const { start, grain } = content.period
  return t('of', {
    metric: name,
    period: useNames().periodOfYear(start, grain),
    interpolation: { escapeValue: false },
  })
}

function Actions({ id }: { id: ReportId }) {
  const t = useTexts('evidence')
  const request = toEvidenceRequest(id, route.useSearch())
  const file = fileAddress(
    'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}/evidence/file.json',
    request,
  )
  return (
    <Buttons>
      <Button variant="primary" icon="print" onClick={() => print()}>
        {t('print')}
      </Button>
      <ButtonAnchor icon="delivery" href={file} download>
        {t('download')}
      </ButtonAnchor>
      <CopyButton text={() => location.href} label={t('copyLink')} />
    </Buttons>
  )
}
