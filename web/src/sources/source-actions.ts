import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { companyKey } from '../company/lists.ts'
import { useMember } from '../session/member.ts'

/** Refetches everything that a change of a source affects: itself, lists, and its reports. */
export function renewSources(client: QueryClient, companyId: string): Promise<void> {
  return client.invalidateQueries({ queryKey: companyKey(companyId) })
}

const address = 'POST /console/companies/{company_id}/sources/{source_id}'

type Action = 'resume' | 'rebuilds' | 'end-previous-signing-secret' | { pause: string }

/** Resumes, rebuilds or pauses a source, or ends its previous signing secret; pausing takes a reason for other members. */
export function useSourceAction(source_id: string) {
  const { company_id } = useCompany()
  const { csrf_token } = useMember()
  const client = useQueryClient()
  const path = { company_id, source_id }
  return useMutation({
    mutationFn: (action: Action): Promise<void> => {
      if (typeof action === 'object') {
        const body = { reason: action.pause.trim() || null }
        return callApi(`${address}/pause`, { path, body }, csrf_token)
      }
      return callApi(`${address}/${action}`, { path, body: {} }, csrf_token)
    },
    onSuccess: () => renewSources(client, company_id),
  })
}
