import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../api/call-api.ts'
import { useCompany } from '../../company/company.ts'
import { usualDevice } from '../../identity/device.ts'
import type { Device } from '../../identity/order.ts'
import { type Signing, toSigning } from '../../identity/signing-panel.tsx'
import type { Language } from '../../language/language.ts'
import { useMember } from '../../session/member.ts'
import type { NextStep } from './next-step.ts'

/** Starts signing a connection in the page's language. The person returns to the connection's page. */
export async function beginSigning(
  path: { company_id: string; connection_id: string },
  language: Language,
  csrfToken: string,
  device: Device = usualDevice(),
): Promise<Signing> {
  const return_to = `/companies/${path.company_id}/connections/${path.connection_id}`
  const order = await callApi(
    'POST /console/companies/{company_id}/connections/{connection_id}/sign',
    { path, body: { language, return_to, device } },
    csrfToken,
  )
  return toSigning(order, language, device)
}

/** @param onBegun called with the order, or with why there is none */
export function useBeginSigning(connection_id: string, onBegun: (next: NextStep) => void) {
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
    /** @param device by default where the app most likely is */
    start: (device?: Device) => begin.mutate(device),
    isPending: begin.isPending,
    canSign: identity.signs,
    isDemo: identity.demo,
  }
}
