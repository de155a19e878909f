import { Type } from 'typebox'
import { contract } from '../../platform/http/contract.ts'
import { Flag, NextCursor, Text, Whole } from '../../platform/http/console-schemas.ts'
import { cursor, delivers, limit, orgnr, sourceIdExample, strayParameter, uuid } from './parameters.ts'

export const listReadableSourcesContract = contract({
  api: 'public',
  operationId: 'listReadableSources',
  summary: 'List the sources that may be named',
  description:
    'Find the `source_id` to name, for a connection or an app that may use several sources.\n\n' +
    "Lists the company's sources; for a connection bound to a source that one. Needs `sources.ingest` or `metrics.read`; " +
    'with the former alone, sources that take signed webhooks only are left out.',
  tags: ['Samples'],
  addition: true,
  guard: 'bearer',
  permission: ['sources.ingest', 'metrics.read'],
  source: 'none',
  checkedByRoute: true,
  query: Type.Object({ orgnr, cursor, limit }),
  responses: {
    200: {
      description: 'The sources, in the order of creation.',
      body: Type.Object(
        {
          sources: Type.Array(
            Type.Object(
              {
                source_id: uuid('The source.'),
                name: Text('Its name.'),
                delivers,
                shape_version: Whole('Its current shape version.'),
                paused: Flag('Whether the company paused it: new deliveries are refused.'),
              },
              { title: 'ReadableSource', additionalProperties: false },
            ),
            { description: 'In the order of creation.' },
          ),
          next_cursor: NextCursor,
        },
        { title: 'ReadableSources', additionalProperties: false },
      ),
      examples: {
        one: {
          summary: 'One source',
          value: {
            sources: [
              {
                source_id: sourceIdExample,
                name: 'Shop',
                delivers: 'events',
                shape_version: 1,
                paused: false,
              },
            ],
            next_cursor: null,
          },
        },
      },
    },
  },
  errors: [
    {
      code: 'invalid_argument',
      when: `\`cursor\` or \`limit\` is malformed, \`orgnr\` is missing or is not an organisation number, ${strayParameter}`,
      examples: {
        limit: {
          summary: 'Too many items',
          value: {
            code: 'invalid_argument',
            message: 'limit must be a whole number from 1 to 200.',
            field: 'limit',
          },
        },
      },
    },
  ],
})

export const listCompaniesContract = contract({
  api: 'public',
  operationId: 'listReadableCompanies',
  summary: 'List the companies that may be named',
  description:
    'Find the `orgnr` to name, for an app that reads several companies.\n\n' +
    'Lists the companies that the caller acts on now. Where there are several, other calls name one with `orgnr`.',
  tags: ['Samples'],
  addition: true,
  guard: 'bearer',
  permission: 'company.read',
  source: 'none',
  company: 'any',
  checkedByRoute: true,
  // An app names the company on each call (specification, "Delegated access"); here it leaves none out.
  query: Type.Object({ orgnr }),
  responses: {
    200: {
      description: 'The companies.',
      body: Type.Object(
        {
          companies: Type.Array(
            Type.Object(
              {
                orgnr: Text('Organisation number.'),
                name: Text('Its name.'),
                time_zone: Text('IANA name; days, weeks and months are counted in it.'),
              },
              { title: 'ReadableCompany', additionalProperties: false },
            ),
            { description: 'Those that may be named with `orgnr`.' },
          ),
        },
        { title: 'ReadableCompanies', additionalProperties: false },
      ),
      examples: {
        one: {
          summary: 'One company',
          value: {
            companies: [{ orgnr: '559000-0003', name: 'Bageriet AB', time_zone: 'Europe/Stockholm' }],
          },
        },
      },
    },
  },
})
