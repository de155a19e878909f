import { Type } from 'typebox'
import { DateTime, Day, NoFields, OrNull } from '../../platform/http/console-schemas.ts'
import { sessionContract } from '../../platform/http/contract.ts'
import { MetricParams, reportErrors, reportQuery, Value } from './contract.ts'

export const lookAtReportContract = sessionContract({
  operationId: 'lookAtReport',
  summary: 'Look at the report of a metric',
  description:
    'Records that you look at it, at most once a minute, and tells which finished periods have another total than when you last ' +
    'looked, 30 minutes ago or longer. Only you see when you looked. For every member.',
  tags: ['Reports'],
  params: MetricParams,
  query: Type.Object({ grain: reportQuery.grain, from: reportQuery.from, to: reportQuery.to }),
  body: NoFields,
  responses: {
    200: {
      description: 'What has changed since.',
      body: Type.Object(
        {
          looked_at: OrNull(DateTime('When you last looked before this visit; null if you had not.')),
          changed: Type.Array(
            Type.Object({
              start: Day('First day of the period.'),
              was: Value('All labels together, as known then.'),
              value: Value('All labels together, now.'),
            }),
            { description: 'The periods that had ended by then, the oldest first.' },
          ),
        },
        { title: 'ReportLook' },
      ),
    },
  },
  errors: reportErrors,
})
