import { Type } from 'typebox'
import { CompanyParams, NoFields } from '../../platform/http/console-schemas.ts'
import { sessionContract, type ErrorUse } from '../../platform/http/contract.ts'

const errors: ErrorUse[] = [{ code: 'sign_in_again', when: 'The session’s sign-in is too old.' }]

export const exportCompanyContract = sessionContract({
  operationId: 'exportCompany',
  summary: 'Export a company',
  description:
    'Everything of it, as lines of JSON: declarations, deliveries as they were received, samples, connections, members, signatures ' +
    'and audit log, without secrets. The last line is `{"type":"end"}`; without it the file is incomplete. One export of a ' +
    'company at a time. Needs the role `owner` and a recent sign-in.',
  tags: ['Companies'],
  params: CompanyParams,
  responses: {
    200: { description: 'The file.', mediaType: 'application/x-ndjson', body: Type.String() },
  },
  errors,
})

export const checkExportContract = sessionContract({
  operationId: 'checkExport',
  summary: 'Check that a company can be exported',
  description:
    'By you, now: a browser that downloads `exportCompany` cannot ask you to sign in again. Needs the role `owner`.',
  tags: ['Companies'],
  params: CompanyParams,
  body: NoFields,
  responses: { 204: { description: 'It can.' } },
  errors,
})
