import { Type } from 'typebox'
import { periods } from '../../formats/values/period.ts'
import {
  DateTime,
  Day,
  Decimal,
  etagHeader,
  OrNull,
  Text,
  unchanged,
  Uuid,
  Whole,
} from '../../platform/http/console-schemas.ts'
import { sessionContract, type ErrorUse } from '../../platform/http/contract.ts'
import { NamedMember } from '../sources/source-schemas.ts'
import { notesMax, notesOfPeriodMax } from './annotations.ts'
import { targetMonthsMax } from './save-targets.ts'
import { noteCharactersMax } from './write-notes.ts'

const strict = { additionalProperties: false }

const MetricParams = Type.Object({
  company_id: Uuid('The company.'),
  source_id: Uuid('The source.'),
  metric: Type.String({ maxLength: 100, description: 'The metric’s key.' }),
})
const NoteParams = Type.Object({ ...MetricParams.properties, note_id: Uuid('The note.') })

const grain = Type.Enum([...periods], { description: 'The period.' })
const month = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}$', description: 'The month, `YYYY-MM`.' })

const noteSchema = Type.Object(
  {
    note_id: Uuid('The note.'),
    grain,
    period_start: Day('First day of the period.'),
    labels: Type.Record(Type.String(), Type.String(), {
      description: 'Of one figure of the period, the values of its labels; empty: of the whole period.',
    }),
    text: Text('What it says.'),
    revision: Whole('Grows with every change.'),
    author: NamedMember('Who wrote it; null if the operator did.'),
    created_at: DateTime('When.'),
    edited_by: NamedMember('Who changed it last; null if no member did.'),
    edited_at: OrNull(DateTime('When; null if it is as it was written.')),
  },
  { title: 'Note' },
)

const targetsSchema = Type.Object(
  {
    revision: Whole('Grows with every save; 0 before the first.'),
    months: Type.Array(Type.Object({ month, value: Decimal('The target.') }), {
      description: 'In order. All, also outside the window.',
    }),
    saved_by: NamedMember('Who saved them last; null if no member did.'),
    saved_at: OrNull(DateTime('When.')),
  },
  { title: 'Targets' },
)

const noSuchMetric: ErrorUse = {
  code: 'not_found',
  when: 'The member has no such company, the company no such source, or the source no such metric.',
}
const wrong = (what: string): ErrorUse => ({
  code: 'invalid_argument',
  when: `${what}; \`field\` says which.`,
})
const text = Type.String({
  description: `One line of 1 to ${noteCharactersMax} characters, without control or formatting characters.`,
})
const expected = Type.Integer({ minimum: 0, description: 'The `revision` that was changed.' })
const authors = 'For its author and owners.'

export const readAnnotationsContract = sessionContract({
  operationId: 'readAnnotations',
  summary: 'Read the notes and targets of a metric',
  description:
    'Notes of the periods that begin in the window, widened to whole weeks and months, the oldest period first. They stay as they are ' +
    'when a period is restated or the source is rebuilt. For every member.',
  tags: ['Reports'],
  params: MetricParams,
  query: Type.Object({
    from: Type.Optional(Day('First day; by default as far back as a report reaches.')),
    to: Type.Optional(Day('The day after the last; tomorrow by default.')),
  }),
  responses: {
    200: {
      description: 'The notes and targets.',
      headers: etagHeader,
      body: Type.Object({ notes: Type.Array(noteSchema), targets: targetsSchema }, { title: 'Annotations' }),
    },
    304: unchanged,
  },
  errors: [
    { code: 'invalid_argument', when: '`from` or `to` is not a day, or `from` is not before `to`.' },
    noSuchMetric,
  ],
})

export const addNoteContract = sessionContract({
  operationId: 'addNote',
  summary: 'Add a note to a period of a report',
  description: 'Or to one figure of it, with `labels`. For every member.',
  tags: ['Reports'],
  params: MetricParams,
  body: Type.Object(
    {
      grain,
      period_start: Day('First day of the period.'),
      labels: Type.Optional(
        Type.Record(Type.String(), Type.String(), { description: 'The values of the figure’s labels.' }),
      ),
      text,
    },
    { ...strict, title: 'NewNote' },
  ),
  responses: { 201: { description: 'The note.', body: noteSchema } },
  errors: [
    wrong('The text, the period or a label is wrong'),
    noSuchMetric,
    { code: 'conflict', when: `The period has ${notesOfPeriodMax} notes, or the company ${notesMax}.` },
  ],
})

export const changeNoteContract = sessionContract({
  operationId: 'changeNote',
  summary: 'Change a note',
  description: authors,
  tags: ['Reports'],
  params: NoteParams,
  body: Type.Object({ expected_revision: expected, text }, { ...strict, title: 'NoteChange' }),
  responses: { 200: { description: 'The note.', body: noteSchema } },
  errors: [
    wrong('The text is wrong'),
    {
      code: 'conflict',
      when: 'Another member has changed it since: field `expected_revision`, and `details` has the `note` as it is now.',
    },
  ],
})

export const removeNoteContract = sessionContract({
  operationId: 'removeNote',
  summary: 'Remove a note',
  description: authors,
  tags: ['Reports'],
  params: NoteParams,
  responses: { 204: { description: 'Removed.' } },
})

export const saveTargetsContract = sessionContract({
  operationId: 'saveTargets',
  summary: 'Save targets of a metric',
  description:
    'One for each month, for metrics that add up by day or month. Those of the given months are replaced, all others stay. Needs the ' +
    'role `developer`.',
  tags: ['Reports'],
  params: MetricParams,
  body: Type.Object(
    {
      expected_revision: expected,
      months: Type.Array(
        Type.Object(
          { month, value: OrNull(Type.String({ maxLength: 60, description: 'A number; null removes it.' })) },
          strict,
        ),
        { minItems: 1, maxItems: targetMonthsMax },
      ),
    },
    { ...strict, title: 'TargetsSave' },
  ),
  responses: { 200: { description: 'All targets of the metric.', body: targetsSchema } },
  errors: [
    wrong('A month or number is wrong, or the metric does not add up'),
    noSuchMetric,
    {
      code: 'conflict',
      when:
        'Another member has saved targets since: field `expected_revision`, and `details` has the `targets` as they are now. Or the ' +
        `metric would have targets for more than ${targetMonthsMax} months.`,
    },
  ],
})
