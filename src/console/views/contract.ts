import { Type } from 'typebox'
import { NamedMember } from '../../company/sources/source-schemas.ts'
import {
  CompanyParams,
  DateTime,
  Day,
  Decimal,
  etagHeader,
  Flag,
  OrNull,
  Text,
  unchanged,
  Uuid,
  Whole,
} from '../../platform/http/console-schemas.ts'
import { sessionContract } from '../../platform/http/contract.ts'
import { windowDaysMax } from '../../platform/reads/read-window.ts'
import { periods } from '../../formats/values/period.ts'
import { AsOf } from '../reports/contract.ts'
import { valueReasons, quotientDecimals } from './combine-values.ts'
import { linesMax, reportOperandsMax, sumOperandsMax } from './line-text.ts'
import { companyViewsMax, ownViewsMax, viewNameCharactersMax } from './saved-views.ts'

/** Characters of a view's address parameters: four lines of the longest, and all choices. */
const searchCharactersMax = 8_000

const exact = (description: string) => OrNull(Decimal(description))

const valueFields = {
  value: exact(
    `A sum, exact; a quotient, rounded half to even to ${quotientDecimals} decimals. Null: see \`reason\`.`,
  ),
  numerator: exact('Of a ratio: its exact numerator.'),
  denominator: exact('Of a ratio: its exact denominator.'),
  reason: OrNull(
    Type.Enum([...valueReasons], {
      description:
        'Why there is no value: `no_value` of the sum or the numerator, `no_denominator`, or `zero_denominator`.',
    }),
  ),
  missing: Type.Array(Type.String(), {
    description:
      'The operands (`<source_id>.<metric>`) without a figure for the period, where others of their sum have one: the value is ' +
      'the sum of those others.',
  }),
}
const lineValues = Type.Array(Type.Object(valueFields, { title: 'CombinedValue' }), {
  description: 'The figure of the period at the same place of `periods`.',
})

const operands = (description: string) =>
  Type.Array(
    Type.Object(
      {
        source_id: Uuid('The source.'),
        source_name: Text('Its name.'),
        metric: Text('The metric’s key.'),
        name: Text('Its name.'),
        unit: Text('Its unit.'),
      },
      { title: 'Operand' },
    ),
    { description },
  )

const combinedReportSchema = Type.Object(
  {
    grain: Type.Enum([...periods], { description: 'The periods of this answer.' }),
    grains: Type.Array(Type.Enum([...periods]), {
      description: 'What `grain` may be: what all metrics can be read by.',
    }),
    today: Day('The current day in the company’s time zone.'),
    time_zone: Text('The company’s time zone, an IANA name.'),
    window: Type.Object(
      {
        from: Day('First day read: the first of its period.'),
        to: Day('The day after the last day read, which ends its period.'),
        max_days: Whole('The widest window, before it is widened to whole periods.'),
        narrowed: Flag('Whether `from` was further back than that, and was moved forward.'),
      },
      { description: 'The days that were read.' },
    ),
    as_of: OrNull(DateTime('As known at this instant; null: as known now.')),
    periods: Type.Array(
      Type.Object({
        start: Day('Its first day.'),
        end: Day('Its last day.'),
        finished: Flag('Whether its last day has passed.'),
      }),
      { description: 'The oldest first.' },
    ),
    year_before_starts: OrNull(
      Type.Array(
        OrNull(
          Day(
            'The period a year before, of an unfinished one the days that have passed; null if there is none: a leap day, week 53, or ' +
              'part of a period without days.',
          ),
        ),
      ),
    ),
    lines: Type.Array(
      Type.Object({
        line: Text('The line as in the address.'),
        unit: Text('The unit of the sum or of the numerator.'),
        denominator_unit: OrNull(Text('The unit of the denominator; null for a sum.')),
        numerator: operands('What is added up.'),
        denominator: OrNull(operands('What that is divided by; null for a sum.')),
        values: lineValues,
        total: OrNull(
          Type.Object(
            { ...valueFields, periods: Whole('How many periods it consists of.') },
            {
              description:
                'All periods together; of a ratio, the quotient of both sums over the periods that have both. Null if values of ' +
                'several periods do not add.',
            },
          ),
        ),
        year_before: OrNull(lineValues),
      }),
      { maxItems: linesMax, description: 'In the order of the address.' },
    ),
    complete: Flag('False: there are more samples than are counted, and the oldest periods are left out.'),
  },
  { title: 'CombinedReport' },
)

const Lines = Type.Union([
  Type.String({ maxLength: searchCharactersMax }),
  Type.Array(Type.String({ maxLength: searchCharactersMax }), { maxItems: linesMax * 2 }),
])

export const readCombinedReportContract = sessionContract({
  operationId: 'readCombinedReport',
  summary: 'Read a report of several metrics',
  description:
    'Metrics added up over sources, side by side, and divided by each other, period by period. Every sum is exact; a ratio is ' +
    `its exact numerator and denominator, and their quotient with ${quotientDecimals} decimals. Production samples of at most ` +
    `${windowDaysMax} days, widened to whole periods.\n\n` +
    `\`line\` is given once for each of up to ${linesMax} lines. A line is a sum or a ratio of two sums, written ` +
    '`<source_id>.<metric>[,<source_id>.<metric>…]` and, for a ratio, `/` with the denominator in the same form. A sum has up to ' +
    `${sumOperandsMax} operands of one unit, a report up to ${reportOperandsMax} different ones. Metrics that are no sums or counts, ` +
    'such as distinct counts, stand alone in their sum. For every member.',
  tags: ['Reports'],
  params: CompanyParams,
  query: Type.Object({
    line: Type.Optional(Lines),
    grain: Type.Optional(
      Type.Enum([...periods], { description: 'One of `grains`; the longest of them by default.' }),
    ),
    from: Type.Optional(Day('First day; by default as far back as the window reaches.')),
    to: Type.Optional(Day('The day after the last; tomorrow by default.')),
    compare: Type.Optional(Type.Enum(['year'], { description: 'With the same periods a year before.' })),
    as_of: AsOf,
  }),
  responses: {
    200: { description: 'The report.', headers: etagHeader, body: combinedReportSchema },
    304: unchanged,
  },
  errors: [
    {
      code: 'invalid_argument',
      when:
        'Field `line`: it is not written as above, adds up different units or metrics that do not add, or the metrics have no ' +
        'period in common. Otherwise `grain`, `from`, `to` or `as_of`.',
    },
    {
      code: 'not_found',
      when: 'The member has no such company, the company no such source, or the source no such metric.',
    },
  ],
})

const revision = Type.Integer({ minimum: 1, description: 'Counts the changes of the view.' })
const name = Type.String({ maxLength: 400, description: `At most ${viewNameCharactersMax} characters.` })
const search = Type.String({
  maxLength: searchCharactersMax,
  description: 'The query of its address, such as `line=…&range=12m`. Of a combined report it has its lines.',
})
const pinned = Flag('Whether it stands first on the company’s start page.')

const savedViewSchema = Type.Object(
  {
    view_id: Uuid('The view.'),
    for: Type.Enum(['member', 'company'], { description: 'Whether only this member sees it, or all do.' }),
    name: Text('Its name.'),
    source_id: OrNull(Uuid('The source of a report of one metric; null for a combined report.')),
    metric: OrNull(Text('The metric of such a report.')),
    search: Text('The query of its address.'),
    pinned,
    revision,
    changed_by: NamedMember('Who changed it last.'),
    changed_at: DateTime('When.'),
  },
  { title: 'SavedView' },
)

const writers = 'Own views are changed by every member, the company’s by owners and developers.'
const viewAnswers = { 200: { description: 'The view.', body: savedViewSchema } }
const ViewParams = Type.Object({ company_id: Uuid('The company.'), view_id: Uuid('The view.') })
const invalid = {
  code: 'invalid_argument',
  when: '`name` is empty or too long, or `search` has no readable lines.',
} as const

export const listViewsContract = sessionContract({
  operationId: 'listViews',
  summary: 'List the saved views',
  description: 'The company’s, then the member’s own, each in their order. For every member.',
  tags: ['Reports'],
  params: CompanyParams,
  responses: {
    200: {
      description: 'The views.',
      body: Type.Object({ views: Type.Array(savedViewSchema) }, { title: 'SavedViewList' }),
    },
  },
})

export const saveViewContract = sessionContract({
  operationId: 'saveView',
  summary: 'Save a view',
  description: `A report’s address under a name, for oneself or for the company, behind the others. ${writers}`,
  tags: ['Reports'],
  params: CompanyParams,
  body: Type.Object({
    for: Type.Enum(['member', 'company'], { description: 'Whether only this member sees it, or all do.' }),
    name,
    search,
    pinned,
    report: Type.Optional(
      Type.Object(
        {
          source_id: Uuid('The source.'),
          metric: Type.String({ pattern: '^[a-z][a-z0-9_]{0,99}$', description: 'The metric’s key.' }),
        },
        { description: 'Of a report of one metric; absent for a combined report.' },
      ),
    ),
  }),
  responses: { 201: { description: 'The view.', body: savedViewSchema } },
  errors: [
    invalid,
    {
      code: 'conflict',
      when: `There are ${companyViewsMax} views of the company, or ${ownViewsMax} of the member’s own.`,
    },
  ],
})

export const changeViewContract = sessionContract({
  operationId: 'changeView',
  summary: 'Change a saved view',
  description: `Its name, what it shows, whether it is pinned, or its place. ${writers}`,
  tags: ['Reports'],
  params: ViewParams,
  body: Type.Object({
    expected_revision: revision,
    name: Type.Optional(name),
    search: Type.Optional(search),
    pinned: Type.Optional(pinned),
    place: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: companyViewsMax,
        description: 'Its new place among the company’s views, or the member’s own, from 0.',
      }),
    ),
  }),
  responses: viewAnswers,
  errors: [
    invalid,
    {
      code: 'conflict',
      when: 'It has another revision: field `expected_revision`, and `details` has the present `view`.',
    },
  ],
})

export const deleteViewContract = sessionContract({
  operationId: 'deleteView',
  summary: 'Delete a saved view',
  description: writers,
  tags: ['Reports'],
  params: ViewParams,
  responses: { 204: { description: 'It is deleted.' } },
})
