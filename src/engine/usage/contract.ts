import { Type } from 'typebox'
import { companyLimits } from '../../platform/config/config.ts'
import { CompanyParams, OrNull } from '../../platform/http/console-schemas.ts'
import { contract } from '../../platform/http/contract.ts'

const LimitName = Type.Enum([...companyLimits], {
  description:
    '`connections`: those that are neither revoked nor expired. `shape_versions`: of the source that has most. `cells`: one ' +
    'for each metric, period and label set of a source, also while it is rebuilt. `stored_bytes`: content of ' +
    'deliveries, and 1,024 bytes each. `waiting_bytes` and `waiting_deliveries`: what is still to be parsed.',
})

export const showUsageContract = contract({
  api: 'console',
  operationId: 'showUsage',
  summary: 'Show what a company holds, and what it may hold',
  description:
    'What waits is counted every 10 seconds. Beyond `cells`, `stored_bytes`, `waiting_bytes` or `waiting_deliveries` ' +
    'deliveries are answered 429 with `Retry-After`; one more of the others is 409. Needs the role `developer`.',
  tags: ['Companies'],
  guard: 'session',
  params: CompanyParams,
  responses: {
    200: {
      description: 'Each limit with its use.',
      body: Type.Object(
        {
          limits: Type.Array(
            Type.Object(
              {
                limit: LimitName,
                used: Type.Integer({ description: 'What the company holds.' }),
                max: Type.Integer({ description: 'What it may hold.' }),
              },
              { title: 'CompanyLimit' },
            ),
          ),
          reached: OrNull(
            Type.String({
              description: 'The limit because of which no delivery is taken now; null for none.',
            }),
          ),
        },
        { title: 'CompanyUsage' },
      ),
    },
  },
})
