import { Type } from 'typebox'
import { severalCompanies } from '../../engine/samples/delivery-contract.ts'
import { orgnr, sourceIdExample } from '../../engine/samples/parameters.ts'
import { etagHeader, Flag, Text, unchanged } from '../../platform/http/console-schemas.ts'
import { contract } from '../../platform/http/contract.ts'
import { declarationFields, settingFields, sourceFields } from './source-schemas.ts'

export const showDeclaredSourceContract = contract({
  api: 'public',
  operationId: 'showDeclaredSource',
  summary: 'Show what a source declares',
  description:
    'Find out which fields a source takes, how they are read, and what is counted from them.\n\n' +
    'As of its current shape version. Needs `sources.ingest` or `metrics.read`; a connection bound to a source sees that one. ' +
    'What a personal field is compared with is masked.',
  tags: ['Samples'],
  addition: true,
  guard: 'bearer',
  permission: ['sources.ingest', 'metrics.read'],
  source: 'none',
  checkedByRoute: true,
  params: Type.Object({
    source_id: Type.String({ format: 'uuid', description: 'The source.', examples: [sourceIdExample] }),
  }),
  query: Type.Object({ orgnr }),
  responses: {
    200: {
      description: 'The source.',
      headers: etagHeader,
      body: Type.Object(
        {
          source_id: sourceFields.source_id,
          name: Text('Its name.'),
          channel: settingFields.channel,
          format: {
            ...settingFields.format,
            description: 'The format of its documents; null if it is detected.',
          },
          shape_version: sourceFields.shape_version,
          paused: Flag('Whether the company paused it: new deliveries are refused.'),
          ...declarationFields,
        },
        { title: 'DeclaredSource', additionalProperties: false },
      ),
      examples: {
        shop: {
          summary: 'Revenue by day and country',
          value: {
            source_id: sourceIdExample,
            name: 'Shop',
            channel: 'push',
            format: null,
            shape_version: 1,
            paused: false,
            fields: [
              { name: 'at', type: 'timestamp', personal: false },
              { name: 'amount', type: 'number', personal: false },
              { name: 'country', type: 'text', personal: false },
              { name: 'customer', type: 'text', personal: true },
            ],
            event_time: 'at',
            metrics: [
              {
                metric: 'revenue',
                aggregation: 'sum',
                field: 'amount',
                filters: [],
                group_by: ['country'],
                period: 'day',
              },
            ],
            delivers: 'events',
          },
        },
      },
    },
    304: unchanged,
  },
  errors: [severalCompanies, { code: 'not_found', when: 'The caller can see no such source.' }],
})
