import { type ApiResponse, callApi } from '../api/call-api.ts'
import { usualDevice } from '../identity/device.ts'
import type { Device } from '../identity/order.ts'
import { begunSigning, type SigningInHand } from '../identity/signing-in-hand.ts'
import type { Language } from '../language/language.ts'

export type SigningProgress =
  ApiResponse<'POST /console/companies/{company_id}/connections/{connection_id}/sign/{order_id}/collect'>

/** Begins to sign a connection, in the language of the page, with the app on the device where it most likely is. The person comes back to the page of the connection. */
export async function beginSigning(
  path: { company_id: string; connection_id: string },
  language: Language,
  csrfToken: string,
  device: Device = usualDevice(),
): Promise<SigningInHand> {
  const order = await callApi(
    'POST /console/companies/{company_id}/connections/{connection_id}/sign',
    {
      path,
      body: {
        language,
        return_to: `/companies/${path.company_id}/connections/${path.connection_id}`,
        device,
      },
    },
    csrfToken,
  )
  return begunSigning(order, language, device)
}
