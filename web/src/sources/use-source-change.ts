import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { useMember } from '../session/member.ts'
import { renewSources } from './source-query.ts'

/** What can be done with a source beside changing what it says. */
export type SourceAction = 'resume' | 'refold' | 'end-previous-signing-secret'

/** Does one of them at once, and renews what is known of the company. */
export function useSourceAction(sourceId: string) {
  const { company_id } = useCompany()
  const { csrf_token } = useMember()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (action: SourceAction): Promise<void> =>
      callApi(
        `POST /console/companies/{company_id}/sources/{source_id}/${action}`,
        { path: { company_id, source_id: sourceId }, body: {} },
        csrf_token,
      ),
    onSuccess: () => renewSources(client, company_id),
  })
}

/** Pauses it, with a reason for the other members. */
export function usePause(sourceId: string) {
  const { company_id } = useCompany()
  const { csrf_token } = useMember()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (reason: string): Promise<void> =>
      callApi(
        'POST /console/companies/{company_id}/sources/{source_id}/pause',
        {
          path: { company_id, source_id: sourceId },
          body: { reason: reason.trim() === '' ? null : reason.trim() },
        },
        csrf_token,
      ),
    onSuccess: () => renewSources(client, company_id),
  })
}
