import { Type } from 'typebox'
import { roles } from '../../people/access/role.ts'
import { CompanyParams, DateTime, OrNull, Uuid } from '../../platform/http/console-schemas.ts'
import { sessionContract } from '../../platform/http/contract.ts'

const companyFields = {
  company_id: Uuid('The company.'),
  orgnr: Type.String({ description: 'Organisation number as it is shown.' }),
  name: Type.String({ description: 'Its name.' }),
  time_zone: Type.String({ description: 'IANA name; days, weeks and months are counted in it.' }),
}

export const listOwnCompaniesContract = sessionContract({
  operationId: 'listOwnCompanies',
  summary: 'List your companies',
  description: 'By name, with your role in each, and whether their systems still send.',
  tags: ['Companies'],
  responses: {
    200: {
      description: 'The companies.',
      body: Type.Object(
        {
          companies: Type.Array(
            Type.Object(
              {
                ...companyFields,
                role: Type.Enum([...roles], { description: 'What you may do there.' }),
                late_sources: OrNull(
                  Type.Integer({
                    minimum: 0,
                    description:
                      'Sources that have been silent for three times as long as usual. Null if that was not checked: it ' +
                      'is for the first 100 companies, as far as they have 1,000 sources together.',
                  }),
                ),
                last_received_at: OrNull(
                  DateTime('The last production delivery; null if there is none, or it was not checked.'),
                ),
              },
              { title: 'OwnCompany' },
            ),
          ),
        },
        { title: 'OwnCompanyList' },
      ),
    },
  },
})

export const showCompanyContract = sessionContract({
  operationId: 'showCompany',
  summary: 'Show a company',
  description: 'For every member.',
  tags: ['Companies'],
  params: CompanyParams,
  responses: {
    200: {
      description: 'The company.',
      body: Type.Object(
        {
          ...companyFields,
          created_at: DateTime('When it was added.'),
          owners: Type.Array(
            Type.Object({
              member_id: Uuid('The owner.'),
              name: OrNull(
                Type.String({
                  description: 'Null until they have opened the company since they were added.',
                }),
              ),
            }),
            { description: 'The owners, at most 20, so that other members know whom to ask.' },
          ),
        },
        { title: 'Company' },
      ),
    },
  },
})
