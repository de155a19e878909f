import { Type } from 'typebox'
import {
  CompanyParams,
  Day,
  DateTime,
  NextCursor,
  NoFields,
  OrNull,
  PageQuery,
  Uuid,
  Whole,
} from '../../platform/http/console-schemas.ts'
import { sessionContract } from '../../platform/http/contract.ts'
import {
  activitySchema,
  createdSourceSchema,
  declarationFields,
  NewSource,
  settingFields,
  shapeVersionSchema,
  SigningSecret,
  sourceFields,
  sourceSchema,
  storedDeliveriesSchema,
} from './source-schemas.ts'
import { sourceDaysMax } from './source-days.ts'

const strict = { additionalProperties: false }

export const SourceParams = Type.Object({ company_id: Uuid('The company.'), source_id: Uuid('The source.') })

const needsDeveloper = 'Needs the role `developer`.'
/** The error of a declaration that cannot be saved. */
export const wrongDeclaration = {
  code: 'invalid_argument',
  when: 'Part of the declaration is wrong; `field` says where, such as `metrics[0].group_by[1]`.',
} as const

export const listSourcesContract = sessionContract({
  operationId: 'listSources',
  summary: 'List the sources of a company',
  description:
    'In the order they were created. For every member: reports are read by source; `activity` is for developers.',
  tags: ['Sources'],
  params: CompanyParams,
  query: PageQuery,
  responses: {
    200: {
      description: 'The sources.',
      body: Type.Object(
        {
          sources: Type.Array(
            Type.Object(
              { ...sourceFields, activity: OrNull(activitySchema) },
              { title: 'ListedSource', description: '`activity` is null for readers.' },
            ),
          ),
          next_cursor: NextCursor,
        },
        { title: 'SourceList' },
      ),
    },
  },
})

export const createSourceContract = sessionContract({
  operationId: 'createSource',
  summary: 'Create a source',
  description:
    'With its declaration, which is shape version 1. The answer for a webhook source has its signing secret. ' +
    needsDeveloper,
  tags: ['Sources'],
  params: CompanyParams,
  body: NewSource,
  responses: { 201: { description: 'The source.', body: createdSourceSchema } },
  errors: [
    wrongDeclaration,
    {
      code: 'conflict',
      when:
        'Another source of the company has that name: field `name`; case and spaces make no difference. Or the company has ' +
        'its maximum of sources; the message says how many.',
    },
  ],
})

export const showSourceContract = sessionContract({
  operationId: 'showSource',
  summary: 'Show a source with its shape versions',
  description: `Newest version first. ${needsDeveloper}`,
  tags: ['Sources'],
  params: SourceParams,
  query: PageQuery,
  responses: {
    200: {
      description: 'The source.',
      body: Type.Object(
        {
          source: sourceSchema,
          activity: activitySchema,
          stored: storedDeliveriesSchema,
          signing_secrets: Type.Array(
            Type.Object(
              {
                created_at: DateTime('When it was created.'),
                ends_at: OrNull(DateTime('When it ends; null for the current one.')),
              },
              { title: 'SigningSecretState' },
            ),
            { description: 'Those that work, the current one first; none for a push source.' },
          ),
          versions: Type.Array(shapeVersionSchema, { description: 'Newest first.' }),
          next_cursor: NextCursor,
        },
        { title: 'SourceWithVersions' },
      ),
    },
  },
})

const sourceDayFields = {
  day: Day('The day, in the time zone of the company.'),
  deliveries: Whole('Deliveries received.'),
  rows_accepted: Whole('Their rows that count.'),
  rows_refused: Whole('Their rows that were refused.'),
  unreadable: Whole('Deliveries that could not be read.'),
}

export const showSourceDaysContract = sessionContract({
  operationId: 'showSourceDays',
  summary: 'Show how much a source delivered each day',
  description: `Over ${sourceDaysMax} days with today, days with deliveries only, oldest first. ${needsDeveloper}`,
  tags: ['Sources'],
  params: SourceParams,
  query: Type.Object({
    sandbox: Type.Optional(
      Type.Enum(['true', 'false'], { description: 'Test deliveries, instead of those in production.' }),
    ),
  }),
  responses: {
    200: {
      description: 'The days.',
      body: Type.Object(
        {
          from: Day('The first day. Fewer days are shown of a source with very many deliveries.'),
          days: Type.Array(Type.Object(sourceDayFields, { title: 'SourceDay' }), {
            description: 'Oldest first.',
          }),
        },
        { title: 'SourceDays' },
      ),
    },
  },
})

const newSecretNeedsSignIn = {
  code: 'sign_in_again',
  when: 'It becomes a webhook source, which gets a new signing secret, and the session’s sign-in is too old.',
} as const

export const saveSourceContract = sessionContract({
  operationId: 'saveSource',
  summary: 'Save a source',
  description:
    'Its settings and its declaration, both or neither. An unchanged declaration creates no new ' +
    'shape version. A source that becomes a webhook source gets a signing secret, which the answer has; one that becomes a push source ' +
    'loses its secrets. Where what is counted changes, stored deliveries are aggregated again; until that is done, the old ' +
    `samples are read. ${needsDeveloper}`,
  tags: ['Sources'],
  params: SourceParams,
  body: Type.Object(
    {
      expected_revision: Type.Integer({
        minimum: 1,
        description: 'The `revision` that was changed.',
      }),
      ...settingFields,
      ...declarationFields,
    },
    { ...strict, title: 'SourceSave' },
  ),
  responses: {
    200: {
      description: 'Saved.',
      body: Type.Object(
        {
          source: createdSourceSchema,
          rebuilds: Type.Boolean({ description: 'Whether the stored deliveries are rebuilt.' }),
        },
        { title: 'SavedSource' },
      ),
    },
  },
  errors: [
    newSecretNeedsSignIn,
    wrongDeclaration,
    {
      code: 'conflict',
      when:
        'Another member has saved it since: field `expected_revision`, and `details` has their `source` and `version`, as ' +
        '`showSource` has them. Or another source of the company has that name: field `name`. Or the source has its maximum ' +
        'of versions; the message says how many.',
    },
  ],
})

export const endPreviousSigningSecretContract = sessionContract({
  operationId: 'endPreviousSigningSecret',
  summary: 'End the previous signing secret',
  description: `Immediately instead of after 24 hours. Changes nothing if none still works. ${needsDeveloper}`,
  tags: ['Sources'],
  params: SourceParams,
  body: NoFields,
  responses: { 204: { description: 'Only the current one works now.' } },
})

export const rotateSigningSecretContract = sessionContract({
  operationId: 'rotateSigningSecret',
  summary: 'Rotate the signing secret of a webhook source',
  description:
    'The new one works immediately, the previous one for 24 hours; one from an earlier rotation ends. ' +
    needsDeveloper,
  tags: ['Sources'],
  params: SourceParams,
  body: NoFields,
  responses: {
    200: {
      description: 'Rotated.',
      body: Type.Object({ ...sourceFields, signing_secret: SigningSecret }, { title: 'RotatedSource' }),
    },
  },
  errors: [
    { code: 'sign_in_again', when: 'The session’s sign-in is too old.' },
    {
      code: 'conflict',
      when: 'It is not a webhook source, or the current secret was sealed under another master key.',
    },
  ],
})

function action(operationId: string, summary: string, description: string) {
  return sessionContract({
    operationId,
    summary,
    description: `${description} ${needsDeveloper}`,
    tags: ['Sources'],
    params: SourceParams,
    body: NoFields,
    responses: { 204: { description: 'Done.' } },
  })
}

export const pauseSourceContract = sessionContract({
  operationId: 'pauseSource',
  summary: 'Pause a source',
  description:
    'New deliveries get 409 `source_paused`, and nothing of them is stored. A source that is already paused stays as it ' +
    `is, with who paused it and why. ${needsDeveloper}`,
  tags: ['Sources'],
  params: SourceParams,
  body: Type.Object(
    {
      reason: Type.Optional(
        OrNull(Type.String({ description: 'Why, for the other members; at most 200 characters.' })),
      ),
    },
    { ...strict, title: 'SourcePause' },
  ),
  responses: { 204: { description: 'Done.' } },
  errors: [
    {
      code: 'invalid_argument',
      when: 'The reason is too long, or contains control or formatting characters.',
    },
  ],
})

export const resumeSourceContract = action(
  'resumeSource',
  'Resume a source',
  'Refused deliveries may be sent again with the same keys.',
)

export const rebuildSourceContract = action(
  'rebuildSource',
  'Rebuild a source',
  'All stored deliveries are aggregated by the current declaration; until that is done, the old samples are read.',
)

export const listKnownMetricsContract = sessionContract({
  operationId: 'listKnownMetrics',
  summary: 'List the metrics that may be declared',
  description: 'The same for every company.',
  tags: ['Sources'],
  responses: {
    200: {
      description: 'The metrics.',
      body: Type.Object(
        {
          metrics: Type.Array(
            Type.Object(
              {
                key: Type.String({ description: 'The key that a declaration uses.' }),
                name: Type.String({ description: 'The name that pages show.' }),
                unit: Type.String({ description: 'Its unit.' }),
              },
              { title: 'KnownMetric' },
            ),
          ),
        },
        { title: 'KnownMetrics' },
      ),
    },
  },
})
