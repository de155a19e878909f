import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { callApi } from '../../api/call-api.ts'
import { useCompany } from '../../company/company.ts'
import { useMember } from '../../session/member.ts'
import { useRecentSignIn } from '../../session/sign-in-again.ts'
import type { SavedSource } from '../declaration.ts'
import { renewSources } from '../source-actions.ts'
import { sourceQuery } from '../source-query.ts'
import { type Draft, toBody } from './draft.ts'
import { type Place, toPlace } from './find-faults.ts'

/** Saves a draft: creates the source, or changes the one that it started from. */
export function useSave(current: SavedSource | null) {
  const { company_id } = useCompany()
  const { csrf_token } = useMember()
  const withRecentSignIn = useRecentSignIn()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (draft: Draft) => {
      const body = toBody(draft)
      if (current === null) {
        const path = { company_id }
        return callApi('POST /console/companies/{company_id}/sources', { path, body }, csrf_token)
      }
      const path = { company_id, source_id: current.source.source_id }
      const saved = await withRecentSignIn((csrfToken) =>
        callApi(
          'PUT /console/companies/{company_id}/sources/{source_id}',
          { path, body: { expected_revision: draft.revision ?? 1, ...body } },
          csrfToken,
        ),
      )
      return saved.source
    },
    onError: (error) => {
      const theirs = getConflict(error)
      if (theirs === undefined) return
      // The page shows what another member saved, next to this draft.
      const { queryKey } = sourceQuery(company_id, theirs.source.source_id)
      client.setQueryData(
        queryKey,
        (known) =>
          known && { ...known, source: theirs.source, versions: [theirs.version, ...known.versions] },
      )
    },
    onSuccess: () => void renewSources(client, company_id),
    // Its result may contain a secret.
    gcTime: 0,
  })
}

/** What another member saved meanwhile, where that is why a save was refused. */
export function getConflict(error: Error): SavedSource | undefined {
  const { source, version } = ((error instanceof ApiError && error.details) || {}) as Partial<SavedSource>
  return source === undefined || version === undefined ? undefined : { source, version }
}

/** The place in the form that the service refused. */
export function getRefusedPlace(error: Error): Place | undefined {
  const isRefusal = error instanceof ApiError && [400, 409].includes(error.status)
  return isRefusal ? toPlace(error.field ?? '') : undefined
}
