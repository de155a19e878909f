import { type QueryClient, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { OrderFailure } from '../identity/failed-order.tsx'
import type { Purpose } from '../identity/remembered-order.ts'
import { recallSigning, type SigningInHand } from '../identity/signing-in-hand.ts'
import type { Language } from '../language/language.ts'

/** What a connection's page must have and no address may hold: it is in this page's memory alone, and goes with the session. */
export interface InHand {
  /** The order that its maker is about to sign. */
  signing?: SigningInHand
  /** Why the order could not be begun, or failed. */
  signingFault?: Error | OrderFailure | 'completed_before'
  /** What is shown once. */
  secret?: {
    value: string
    /** What brought it: then it says what comes next. */
    by: 'making' | 'signing' | 'rotation'
  }
}

/** What an order is remembered as. */
export function signingPurpose(connectionId: string, language?: Language): Purpose {
  return { of: 'connection', place: connectionId, ...(language !== undefined && { language }) }
}

function inHandKey(connectionId: string): readonly string[] {
  return ['in-hand', connectionId]
}

/** Puts it there for the page of the connection. */
export function putInHand(client: QueryClient, connectionId: string, inHand: InHand): void {
  client.setQueryData<InHand>(inHandKey(connectionId), inHand)
}

/** A secret that was shown is there no more once nothing shows it. */
function forgetSecret(client: QueryClient, connectionId: string): void {
  const query = client.getQueryCache().find<InHand>({ queryKey: inHandKey(connectionId) })
  if (query?.isActive() === false && query.state.data?.secret !== undefined)
    putInHand(client, connectionId, {})
}

export function useInHand(connectionId: string): [InHand, (inHand: InHand) => void] {
  const client = useQueryClient()
  const { data = {} } = useQuery<InHand>({
    queryKey: inHandKey(connectionId),
    queryFn: skipToken,
    initialData: () => {
      const signing = recallSigning(signingPurpose(connectionId))
      return signing === undefined ? {} : { signing }
    },
  })
  useEffect(() => {
    // After the page has gone, which may be shown anew at once.
    return () => void setTimeout(() => forgetSecret(client, connectionId))
  }, [client, connectionId])
  return [data, (inHand) => putInHand(client, connectionId, inHand)]
}
