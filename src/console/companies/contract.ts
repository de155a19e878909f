import { Type } from 'typebox'
import { roles } from '../../people/access/role.ts'
import { CompanyParams, DateTime, OrNull, Uuid } from '../../platform/http/console-schemas.ts'
import { sessionContract } from '../../platform/http/contract.ts'

/** Of every answer about a company that its pages read. */
const FiscalYearMonth = Type.Integer({
  minimum: 1,
  maximum: 12,
  description: 'The month with which its fiscal year begins.',
})

const companyFields = {
  company_id: Uuid('The company.'),
  orgnr: Type.String({ description: 'Organisation number as it is shown.' }),
  name: Type.String({ description: 'Its name.' }),
  time_zone: Type.String({ description: 'IANA name; days, weeks and months are counted in it.' }),
  fiscal_year_month: FiscalYearMonth,
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

export const changeCompanyContract = sessionContract({
  operationId: 'changeCompany',
  summary: 'Change the fiscal year of a company',
  description: 'Reports offer its ranges. Needs the role `owner`.',
  tags: ['Companies'],
  params: CompanyParams,
  body: Type.Object(
    {
      fiscal_year_month: FiscalYearMonth,
      expected_fiscal_year_month: Type.Integer({
        minimum: 1,
        maximum: 12,
        description: 'The month that you change, so that two owners do not overwrite each other’s change.',
      }),
    },
    { additionalProperties: false, title: 'CompanyChange' },
  ),
  responses: {
    200: { description: 'The company.', body: Type.Object(companyFields, { title: 'ChangedCompany' }) },
  },
  errors: [
    {
      code: 'conflict',
      when: 'Another owner changed it meanwhile: field `expected_fiscal_year_month`, with the current month in `details`.',
    },
  ],
})
