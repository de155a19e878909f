import { Type } from 'typebox'
import { CompanyParams, DateTime, Day, OrNull, Text, Uuid } from '../../platform/http/console-schemas.ts'
import { sessionContract } from '../../platform/http/contract.ts'
import { languages } from '../../platform/http/requests/preferred-language.ts'
import { linkDaysMax, linkKinds, linksMax, spreadsheetReportSchema } from './link.ts'

const kind = Type.Enum([...linkKinds], {
  description:
    '`feed`: what needs attention, as Atom (RFC 4287). `sheet`: a report as CSV, which a spreadsheet reads live.',
})

const linkSchema = Type.Object(
  {
    link_id: Uuid('The link.'),
    kind,
    name: Text('Its name.'),
    report: OrNull(spreadsheetReportSchema),
    created_by: Type.Object({
      member_id: Uuid('Who made it. It ends when they no longer manage the company.'),
      name: OrNull(Text('Their name.')),
    }),
    created_at: DateTime('When it was made.'),
    expires_at: DateTime('When it ends.'),
    used_on: OrNull(Day('The day of its last use, in the company’s time zone.')),
  },
  { title: 'ReadOnlyLink' },
)

export const listLinksContract = sessionContract({
  operationId: 'listLinks',
  summary: 'List the read-only links of a company',
  description: 'Newest first, without their addresses. Needs the role `developer`.',
  tags: ['Connections'],
  params: CompanyParams,
  responses: {
    200: {
      description: 'The links.',
      body: Type.Object({ links: Type.Array(linkSchema) }, { title: 'ReadOnlyLinkList' }),
    },
  },
})

export const createLinkContract = sessionContract({
  operationId: 'createLink',
  summary: 'Make a read-only link',
  description:
    'An address that a program without a credential reads one thing with. Needs the role `developer`.',
  tags: ['Connections'],
  params: CompanyParams,
  body: Type.Object(
    {
      kind,
      name: Type.String({ maxLength: 400, description: 'At most 100 characters.' }),
      days: Type.Integer({ description: `How long it lasts, 1 to ${linkDaysMax}.` }),
      language: Type.Enum([...languages], {
        description:
          'Of the feed’s sentences, or the header, separator and decimal point of the spreadsheet.',
      }),
      report: OrNull(spreadsheetReportSchema),
    },
    { additionalProperties: false, title: 'NewReadOnlyLink' },
  ),
  responses: {
    201: {
      description: 'The link.',
      body: Type.Object(
        { link: linkSchema, address: Text('Never shown again.') },
        { title: 'CreatedReadOnlyLink' },
      ),
    },
  },
  errors: [
    { code: 'invalid_argument', when: 'Part of it is wrong; `field` says which.' },
    { code: 'conflict', when: `The company has ${linksMax} links, or is to be deleted.` },
  ],
})

export const endLinkContract = sessionContract({
  operationId: 'endLink',
  summary: 'End a read-only link',
  description: 'From the next call on it opens nothing. Needs the role `developer`.',
  tags: ['Connections'],
  params: Type.Object({ company_id: Uuid('The company.'), link_id: Uuid('The link.') }),
  responses: { 204: { description: 'Ended.' } },
})
