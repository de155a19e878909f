import { FormatError } from '../../formats/documents/format-error.ts'
import { SieRowCursor } from '../../formats/sie/sie-row-cursor.ts'
import { type SieRowField, sieRowFields, SieRows } from '../../formats/sie/sie-rows.ts'
import type { FieldType } from '../fields/field-value.ts'
import { DeliveryAggregation, type RawRow } from '../parsing/aggregate/delivery-aggregation.ts'
import type { Plan } from '../parsing/plan/compile-plan.ts'
import type { AggregateOptions, AggregateResult } from './aggregate-result.ts'
import type { DeclaredNames } from './declared-names.ts'
import type { KeptContent } from './drop-undeclared.ts'
import type { FormatDefinition } from './format-definition.ts'

const fieldTypes: Record<SieRowField, FieldType> = {
  account: 'text',
  amount: 'number',
  date: 'timestamp',
  series: 'text',
  number: 'text',
  text: 'text',
  object: 'text',
  credit: 'number',
}

const firstRecord = Buffer.from('#FLAGGA')

/** A SIE file of type 4: each #TRANS line is a row [push.document]. */
export const sie: FormatDefinition = {
  names: { en: 'SIE 4', sv: 'SIE 4' },
  fileName: 'ledger.se',
  example:
    '#FLAGGA 0\r\n#SIETYP 4\r\n#VER A 1 20260115 "Sales"\r\n{\r\n#TRANS 3001 {} -1249.50\r\n' +
    '#TRANS 1930 {} 1249.50\r\n}\r\n',
  isBegunBy: (body, at) => firstRecord.equals(body.subarray(at, at + firstRecord.length)),
  webhookMediaType: null,
  encoding: 'cp437',
  fieldTypes: new Map(Object.entries(fieldTypes)),
  keepDeclared,
  aggregate,
  openRows: (content) => new SieRowCursor(content),
}

/** The file is kept whole. */
function keepDeclared(body: Uint8Array, _start: number, declared: DeclaredNames): KeptContent {
  if (!sieRowFields.some((field) => declared.hasText(field))) {
    throw new FormatError(
      'fields',
      `The source declares no field that a SIE file has: ${sieRowFields.join(', ')}.`,
    )
  }
  const rows = new SieRows(body)
  while (rows.next());
  return { content: body, droppedKeys: [] }
}

function aggregate(plan: Plan, content: Uint8Array, { lastUsualDay }: AggregateOptions): AggregateResult {
  const rows = new SieRows(content)
  const aggregation = new DeliveryAggregation(plan, content.length, lastUsualDay, () => rows.line)
  const declared = sieRowFields.flatMap((name) => {
    const index = plan.fields.findIndex((field) => field.name === name)
    return index < 0 ? [] : [{ name, index }]
  })
  const row: RawRow = Array.from({ length: plan.fields.length })
  while (rows.next()) {
    for (const { name, index } of declared) row[index] = rows.text(name)
    aggregation.addRow(row)
  }
  return aggregation.result()
}
