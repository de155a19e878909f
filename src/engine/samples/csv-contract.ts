import { Type } from 'typebox'
import type { Answer } from '../../platform/http/contract.ts'
import { artifactIdExample } from './parameters.ts'

/** Headers of samples as CSV, and of the choice between the two forms. */
export const csvHeaders: Answer['headers'] = {
  Vary: { description: '`Accept`: which of the two forms it is.', schema: Type.String(), required: true },
  'Samples-Truncated': { description: 'Of CSV: `truncated`, `true` or `false`.', schema: Type.String() },
  'Samples-Narrowed': { description: 'Of CSV: `window.narrowed`.', schema: Type.String() },
  'Samples-Next': { description: 'Of CSV: `next`, where it is truncated.', schema: Type.String() },
}

/** Samples as CSV, for a call whose `Accept` prefers it. */
export const csvAnswer: NonNullable<Answer['alternatives']>[number] = {
  mediaType: 'text/csv',
  body: Type.String(),
  examples: {
    days: {
      summary: 'A day of revenue by country',
      value:
        'metric,period_start,value,sandbox,artifact_id,label.country\r\n' +
        `revenue,2026-01-15,1169.5,false,${artifactIdExample},SE\r\n`,
    },
  },
}
