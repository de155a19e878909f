import { type QueryClient, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { OrderFailure } from '../../identity/failed-order.tsx'
import type { Purpose } from '../../identity/remembered-order.ts'
import { recallSigning, type Signing } from '../../identity/signing-panel.tsx'
import type { Language } from '../../language/language.ts'

/** A secret that is shown once, and what created it. */
export interface Secret {
  value: string
  by: 'creation' | 'signing' | 'rotation'
}

/** What a connection's page shows next. Only in this page's memory, not in the address, and removed with the session. */
export interface NextStep {
  signing?: Signing
  /** Why signing did not start, or failed. */
  signingFault?: Error | OrderFailure | 'completed_before'
  secret?: Secret
}

export function signingPurpose(connectionId: string, language?: Language): Purpose {
  return { of: 'connection', place: connectionId, ...(language !== undefined && { language }) }
}

function toKey(connectionId: string): readonly string[] {
  return ['next-step', connectionId]
}

export function putNextStep(client: QueryClient, connectionId: string, step: NextStep): void {
  client.setQueryData<NextStep>(toKey(connectionId), step)
}

/** Removes a secret that no page shows any more. */
function forgetSecret(client: QueryClient, connectionId: string): void {
  const query = client.getQueryCache().find<NextStep>({ queryKey: toKey(connectionId) })
  if (query?.isActive() === false && query.state.data?.secret !== undefined)
    putNextStep(client, connectionId, {})
}

export function useNextStep(connectionId: string): [NextStep, (step: NextStep) => void] {
  const client = useQueryClient()
  const { data = {} } = useQuery<NextStep>({
    queryKey: toKey(connectionId),
    queryFn: skipToken,
    initialData: () => {
      const signing = recallSigning(signingPurpose(connectionId))
      return signing === undefined ? {} : { signing }
    },
  })
  useEffect(() => {
    // Later, since the page may be mounted again immediately.
    return () => void setTimeout(() => forgetSecret(client, connectionId))
  }, [client, connectionId])
  return [data, (step) => putNextStep(client, connectionId, step)]
}
