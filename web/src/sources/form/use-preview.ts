import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { callApi } from '../../api/call-api.ts'
import { useCompany } from '../../company/company.ts'
import { companyKey } from '../../company/lists.ts'
import { useMember } from '../../session/member.ts'
import type { Declaration } from '../declaration.ts'
import { type Draft, toDeclaration } from './draft.ts'
import { findFaults } from './find-faults.ts'
import type { Preview, StepProps } from './form-state.ts'
import { useSettled } from './use-draft.ts'

/** How long after the last change the preview is renewed. */
const settledMs = 500

/** A draft without the metrics that have a fault: rows are refused for their fields, with any metrics. */
function withoutFaultyMetrics(draft: Draft): Draft {
  const faulty = new Set(findFaults(draft).map(({ fieldId }) => /^metrics\[\d+\]/.exec(fieldId)?.[0]))
  return { ...draft, metrics: draft.metrics.filter((_metric, index) => !faulty.has(`metrics[${index}]`)) }
}

/**
 * What a draft would give.
 *
 * @param of the example, or the delivery as if it were sent with the draft; otherwise the source's last deliveries
 */
export function usePreview(
  { sourceId, draft }: Pick<StepProps, 'sourceId' | 'draft'>,
  { example, artifactId }: Partial<Pick<StepProps, 'example' | 'artifactId'>>,
) {
  const { company_id } = useCompany()
  const { csrf_token } = useMember()
  const previewed = artifactId === undefined ? draft : withoutFaultyMetrics(draft)
  const isIncomplete = findFaults(previewed).some(({ step }) => step !== 'name' && step !== 'delivers')
  const settled = useSettled(isIncomplete ? undefined : JSON.stringify(toDeclaration(previewed)), settledMs)
  const query = useQuery({
    queryKey: companyKey(company_id, 'preview', sourceId, example?.id ?? artifactId ?? 'deliveries', settled),
    queryFn: (): Promise<Preview> => {
      const body = {
        declaration: JSON.parse(settled!) as Declaration,
        example: example?.input ?? null,
        artifact_id: artifactId ?? null,
      }
      const address = 'POST /console/companies/{company_id}/sources'
      return sourceId === null
        ? callApi(`${address}/preview`, { path: { company_id }, body }, csrf_token)
        : callApi(
            `${address}/{source_id}/preview`,
            { path: { company_id, source_id: sourceId }, body },
            csrf_token,
          )
    },
    enabled: settled !== undefined && (sourceId !== null || example !== undefined),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
    // Each reads up to 8 MiB: a person retries it.
    retry: false,
  })
  return { query, isIncomplete, isPartial: previewed.metrics.length < draft.metrics.length }
}
