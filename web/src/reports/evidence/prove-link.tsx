import { useLinks } from '../../company/use-links.ts'
import { useTexts } from '../../language/language.ts'
import { ButtonLink } from '../../ui/controls/button-link.tsx'
import type { Trace } from '../report-queries.ts'
import { toEvidenceSearch } from './evidence-search.ts'

/** Leads from the trace of a figure to its evidence. */
export function ProveLink({ trace }: { trace: Trace }) {
  const t = useTexts('reports')
  const links = useLinks()
  return (
    <ButtonLink
      {...links.evidence(trace.source_id, trace.metric)}
      search={toEvidenceSearch(trace)}
      variant="primary"
    >
      {t('prove')}
    </ButtonLink>
  )
}
