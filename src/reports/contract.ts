import { Type } from 'typebox'
import { contract } from '../http/contract.ts'
import { samplesSchema } from '../samples/contract.ts'
import { SourceParams } from '../sources/contract.ts'

export const readReportContract = contract({
  api: 'console',
  operationId: 'readReport',
  summary: 'Read the samples of a source',
  description:
    'As `GET /v1/samples` answers: production samples of the window, newest first. For every member.',
  tags: ['Reports'],
  guard: 'session',
  params: SourceParams,
  query: Type.Object({
    from: Type.Optional(
      Type.String({ format: 'date', description: 'First day; unset: as far back as it reaches.' }),
    ),
    to: Type.Optional(
      Type.String({ format: 'date', description: 'The day after the last; unset: tomorrow.' }),
    ),
    metric: Type.Optional(Type.String({ maxLength: 100, description: 'Only this metric’s samples.' })),
  }),
  responses: { 200: { description: 'The samples.', body: samplesSchema } },
  errors: [
    {
      code: 'invalid_argument',
      when: '`from` or `to` is no day, `from` is not before `to`, or `metric` is no text that could be one.',
    },
  ],
})
