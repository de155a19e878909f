import { type ApiResponse, callApi } from '../api/call-api.ts'
import type { Language } from '../language/language.ts'

export type SigningProgress =
  ApiResponse<'POST /console/companies/{company_id}/connections/{connection_id}/sign/{order_id}/collect'>

/** Begins to sign a connection, in the language of the page. The person comes back to the page of the connection. */
export function beginSigning(
  path: { company_id: string; connection_id: string },
  language: Language,
  csrfToken: string,
) {
  return callApi(
    'POST /console/companies/{company_id}/connections/{connection_id}/sign',
    {
      path,
      body: { language, return_to: `/companies/${path.company_id}/connections/${path.connection_id}` },
    },
    csrfToken,
  )
}
