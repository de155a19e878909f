import { Type, type Static } from 'typebox'
import { periods } from '../../formats/values/period.ts'
import { rangeNames } from '../../formats/values/rolling-range.ts'
import { Day, Uuid } from '../../platform/http/console-schemas.ts'

export const linkKinds = ['feed', 'sheet'] as const
export type LinkKind = (typeof linkKinds)[number]
export type LinkLanguage = 'en' | 'sv'

/** The report that a live spreadsheet shows. */
export const spreadsheetReportSchema = Type.Object(
  {
    source_id: Uuid('The source.'),
    metric: Type.String({ maxLength: 100, description: 'The metric’s key.' }),
    grain: Type.Optional(Type.Enum([...periods], { description: 'As of a report.' })),
    range: Type.Optional(
      Type.Enum([...rangeNames], { description: 'Rolls with the day; instead of `from` and `to`.' }),
    ),
    from: Type.Optional(Day('First day, if it does not roll.')),
    to: Type.Optional(Day('The day after the last.')),
    by: Type.Optional(Type.String({ maxLength: 100, description: 'A label.' })),
    where: Type.Optional(
      Type.Record(
        Type.String({ maxLength: 100 }),
        Type.Array(Type.String({ maxLength: 1_000 }), { maxItems: 100 }),
        { maxProperties: 20, description: 'The values of the filter, label by label.' },
      ),
    ),
    compare: Type.Optional(Type.Enum(['year'], { description: 'With the same periods a year before.' })),
  },
  { additionalProperties: false, title: 'SpreadsheetReport' },
)
export type SpreadsheetReport = Static<typeof spreadsheetReportSchema>

/** Links of a company; one more is 409. */
export const linksMax = 50
/** How long a link may last, in days. */
export const linkDaysMax = 400

/** A read-only link as it is listed. */
export interface Link {
  linkId: string
  kind: LinkKind
  name: string
  report: SpreadsheetReport | null
  createdBy: { memberId: string; name: string | null }
  createdAt: Date
  expiresAt: Date
  /** Day of the last use. */
  usedOn: string | null
}
