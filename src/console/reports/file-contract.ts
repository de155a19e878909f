import { Type } from 'typebox'
import { sessionContract } from '../../platform/http/contract.ts'
import { MetricParams, reportErrors, reportQuery, whereNote } from './contract.ts'

const FileQuery = Type.Object({
  ...reportQuery,
  language: Type.Optional(
    Type.Enum(['en', 'sv'], {
      description:
        'Of the header, and in CSV of separator and decimal point: `en` (`,` and `.`) by default, or `sv` (`;` and `,`).',
    }),
  ),
})

export const downloadWorkbookContract = sessionContract({
  operationId: 'downloadWorkbook',
  summary: 'Download the report of a metric as a workbook',
  description:
    'The same values as an Office Open XML workbook (`.xlsx`), with a sheet that says what they are. A value with more than 15 ' +
    `digits is a text, since a number of a spreadsheet would lose digits. ${whereNote} For every member.`,
  tags: ['Reports'],
  params: MetricParams,
  query: FileQuery,
  responses: {
    200: {
      description: 'The file.',
      mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      body: Type.String({ format: 'binary' }),
    },
  },
  errors: reportErrors,
})

export const downloadReportContract = sessionContract({
  operationId: 'downloadReport',
  summary: 'Download the report of a metric as CSV',
  description:
    'The same values, with their exact digits: one line per period, the oldest first, UTF-8 with a byte order mark. A missing ' +
    'value is an empty cell, and the last column is when it was read. Notes and targets are columns before it, where there are any. ' +
    'The file’s name ends in `part` if it lacks values: `left_out` of the report is not 0, or ' +
    `\`complete\` is false. ${whereNote} For every member.`,
  tags: ['Reports'],
  params: MetricParams,
  query: FileQuery,
  responses: {
    200: { description: 'The file.', mediaType: 'text/csv', body: Type.String() },
  },
  errors: reportErrors,
})
