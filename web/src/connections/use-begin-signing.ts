import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import type { Device } from '../identity/order.ts'
import type { Language } from '../language/language.ts'
import { useMember } from '../session/member.ts'
import type { InHand } from './in-hand.ts'
import { beginSigning } from './sign-calls.ts'

/**
 * Begins to sign a connection.
 *
 * @param onBegun called with the order, or with why there is none
 */
export function useBeginSigning(connection_id: string, onBegun: (next: InHand) => void) {
  const language = useTranslation().i18n.language as Language
  const { company_id } = useCompany()
  const { csrf_token, identity } = useMember()
  const begin = useMutation({
    mutationFn: (device: Device | undefined) =>
      beginSigning({ company_id, connection_id }, language, csrf_token, device),
    onSuccess: (signing) => onBegun({ signing }),
    onError: (error) => onBegun({ signingFault: error }),
  })
  return {
    /** @param device that was chosen; else where the app most likely is */
    start: (device?: Device) => begin.mutate(device),
    isPending: begin.isPending,
    canSign: identity.signs,
    isDemo: identity.demo,
  }
}
