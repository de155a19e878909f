import { Type } from 'typebox'
import { CompanyParams, DateTime, Uuid } from '../http/console-schemas.ts'
import { contract } from '../http/contract.ts'

export const showCompanyContract = contract({
  api: 'console',
  operationId: 'showCompany',
  summary: 'Show a company',
  description: 'For every member.',
  tags: ['Companies'],
  guard: 'session',
  params: CompanyParams,
  responses: {
    200: {
      description: 'The company.',
      body: Type.Object(
        {
          company_id: Uuid('The company.'),
          orgnr: Type.String({ description: 'Organisation number as it is shown.' }),
          name: Type.String({ description: 'Its name.' }),
          time_zone: Type.String({ description: 'IANA name; days, weeks and months are counted in it.' }),
          created_at: DateTime('When it was added.'),
        },
        { title: 'Company' },
      ),
    },
  },
})
