import { formatNames } from '../../engine/formats/formats.ts'
import { Type } from 'typebox'
import {
  CompanyParams,
  DateTime,
  NextCursor,
  NoFields,
  OrNull,
  PageQuery,
  Uuid,
} from '../../platform/http/console-schemas.ts'
import { contract } from '../../platform/http/contract.ts'
import { aggregationDescription, aggregationNames } from '../../engine/aggregations/aggregations.ts'
import { deliveryModes } from '../../engine/declarations/declaration.ts'
import { fieldTypes } from '../../engine/fields/field-value.ts'
import { periods } from '../../formats/values/period.ts'
import { deliveryChannels } from './source.ts'

const strict = { additionalProperties: false }

const fieldSchema = Type.Object(
  {
    name: Type.String({ description: 'As the key of a row; 1 to 100 characters.' }),
    type: Type.Enum([...fieldTypes], { description: 'How a value is read.' }),
    personal: Type.Boolean({
      description: 'May be filtered on and counted distinct; never grouped by and never in a sample.',
    }),
  },
  { ...strict, title: 'Field' },
)

const filterSchema = Type.Union(
  [
    Type.Object(
      {
        field: Type.String({ description: 'A declared field.' }),
        comparison: Type.Enum(['=', '≠', '<', '≤', '>', '≥'], { description: 'How it is compared.' }),
        value: Type.String({ description: 'Read by the field’s type.' }),
      },
      strict,
    ),
    Type.Object(
      {
        field: Type.String({ description: 'A declared field.' }),
        comparison: Type.Enum(['in'], { description: 'One of the values.' }),
        values: Type.Array(Type.String(), {
          minItems: 1,
          maxItems: 1000,
          description: 'Read by the field’s type.',
        }),
      },
      strict,
    ),
  ],
  { title: 'Filter', description: 'A row counts when it holds; every filter of a metric must.' },
)

const metricSchema = Type.Object(
  {
    metric: Type.String({ description: 'A known metric key, at most once on a source.' }),
    aggregation: Type.Enum(aggregationNames, { description: aggregationDescription }),
    field: Type.Optional(Type.String({ description: 'The field counted; only `count` does without.' })),
    times: Type.Optional(
      Type.String({ description: 'With `sum`: the second factor of the product summed.' }),
    ),
    filters: Type.Array(filterSchema, { maxItems: 20, description: 'Which rows count.' }),
    group_by: Type.Array(Type.String(), {
      maxItems: 20,
      description: 'The fields whose values are the labels; no personal one.',
    }),
    period: Type.Enum([...periods], { description: 'In the company’s time zone; a week begins on Monday.' }),
  },
  { ...strict, title: 'Metric' },
)

/** What a declaration says, for the bodies that have one. */
export const declarationFields = {
  fields: Type.Array(fieldSchema, { minItems: 1, maxItems: 200, description: 'What is kept of a delivery.' }),
  event_time: Type.String({
    description:
      'The timestamp field from which each row’s day is read, of stored deliveries too: where their version declares it ' +
      'as a timestamp. Otherwise they keep their own version’s.',
  }),
  metrics: Type.Array(metricSchema, { maxItems: 100, description: 'What is counted from the fields.' }),
  delivers: Type.Enum([...deliveryModes], {
    description: 'Whether a delivery’s rows are added, or replace what was said about their periods.',
  }),
}

const settingFields = {
  name: Type.String({ description: 'At most 100 characters.' }),
  system_kind: Type.String({ description: 'A label of the company’s own choosing, such as `web shop`.' }),
  channel: Type.Enum([...deliveryChannels], { description: 'A webhook source takes no pushes.' }),
  format: OrNull(
    Type.Enum(formatNames, {
      description: 'The form of the documents it delivers; null: found out.',
    }),
  ),
}

/** What `numera source add --file` reads, and the body that makes a source. */
export const NewSource = Type.Object(
  {
    name: settingFields.name,
    system_kind: settingFields.system_kind,
    channel: Type.Optional(settingFields.channel),
    format: Type.Optional(settingFields.format),
    ...declarationFields,
  },
  { ...strict, title: 'NewSource' },
)

/** A member as others see them, or null. */
export function NamedMember(description: string) {
  return OrNull(
    Type.Object(
      {
        member_id: Uuid('The member.'),
        name: OrNull(Type.String({ description: 'Their name; null until they have signed in.' })),
      },
      { description },
    ),
  )
}

const sourceFields = {
  source_id: Uuid('The source.'),
  ...settingFields,
  shape_version: Type.Integer({ minimum: 1, description: 'The current one.' }),
  revision: Type.Integer({
    minimum: 1,
    description: 'Grows with every change of its settings or its declaration; what `saveSource` compares.',
  }),
  delivers: declarationFields.delivers,
  state: Type.Enum(['active', 'paused'], { description: 'A paused source takes no new deliveries.' }),
  paused_at: OrNull(DateTime('Since when it is paused.')),
  paused_by: NamedMember('Who paused it; null while it is active, and where the operator did.'),
  pause_reason: OrNull(Type.String({ description: 'Why, in the words of who paused it.' })),
  created_at: DateTime('When it was made.'),
  signing_secret_created_at: OrNull(
    DateTime('Of a webhook source: when the secret that its sender signs with was created.'),
  ),
  previous_signing_secret_ends_at: OrNull(
    DateTime('After a rotation: until when the secret before the current one works.'),
  ),
}

const sourceSchema = Type.Object(sourceFields, { title: 'Source' })

const SigningSecret = Type.String({
  description: 'What the sender signs with, prefix `nws_` included. Shown here and never again.',
})

const createdSourceSchema = Type.Object(
  { ...sourceFields, signing_secret: Type.Optional(SigningSecret) },
  { title: 'CreatedSource', description: 'With a signing secret where this very call gave it one.' },
)

const shapeVersionSchema = Type.Object(
  {
    shape_version: Type.Integer({ minimum: 1, description: 'Counts the saves.' }),
    ...declarationFields,
    saved_by: NamedMember('Who saved it; null where the operator did.'),
    saved_at: DateTime('When.'),
  },
  { title: 'ShapeVersion' },
)

const wholeNumber = { minimum: 0 }

function createRowsSchema(description: string) {
  return OrNull(Type.Integer({ ...wholeNumber, description: `${description} Null while it is queued.` }))
}

const activitySchema = Type.Object(
  {
    last_delivery: OrNull(
      Type.Object(
        {
          artifact_id: Uuid('The delivery.'),
          idempotency_key: Type.String({ description: 'Its key, or its delivery id.' }),
          received_at: DateTime('When it was received.'),
          sandbox: Type.Boolean({ description: 'True: nothing has come in production yet.' }),
          state: Type.Enum(['queued', 'parsed', 'unreadable'], { description: 'What became of it.' }),
          rows_accepted: createRowsSchema('Rows that count.'),
          rows_refused: createRowsSchema('Rows that do not fit the fields.'),
          rows_date_alone: createRowsSchema('Accepted rows of which some timestamp was a date alone.'),
        },
        {
          title: 'LastDelivery',
          description: 'The last in production; without any, the last test delivery.',
        },
      ),
    ),
    freshness: Type.Object(
      {
        last_received_at: OrNull(DateTime('When the last delivery in production was received.')),
        usual_seconds: OrNull(
          Type.Integer({
            ...wholeNumber,
            description:
              'The usual time between two sendings: the median of the gaps of at least a minute among the last 20 in ' +
              'production. Null where there are fewer than three.',
          }),
        ),
        late: Type.Boolean({
          description: 'Three times as long as usual has passed. Never of a paused source.',
        }),
      },
      { title: 'Freshness' },
    ),
    rebuild: OrNull(
      Type.Object(
        {
          state: Type.Enum(['waiting', 'counting', 'parsing'], {
            description:
              '`waiting`: other sources of the company come first; `counting`: `total` still grows; `parsing`: it is whole.',
          }),
          done: OrNull(
            Type.Integer({
              ...wholeNumber,
              description: 'Deliveries that are parsed. Null while more wait than are counted (50,000).',
            }),
          ),
          total: Type.Integer({ ...wholeNumber, description: 'Deliveries that are to be parsed.' }),
          seconds_left: OrNull(
            Type.Integer({
              ...wholeNumber,
              description:
                'About how long the rest takes, at the pace of late. Null while that is not known: in the first seconds, ' +
                'while `total` grows or `done` is not known, and where all that wait failed before.',
            }),
          ),
        },
        { title: 'RebuildProgress', description: 'Null while none is under way.' },
      ),
    ),
  },
  { title: 'SourceActivity' },
)

/** How many deliveries of a source are stored. */
export const storedDeliveriesSchema = Type.Object(
  {
    deliveries: Type.Integer({ ...wholeNumber, description: 'Test deliveries too.' }),
    content_bytes: Type.Integer({ ...wholeNumber, description: 'What is kept of them, before compression.' }),
    more: Type.Boolean({ description: 'There are more than are counted (50,000).' }),
  },
  { title: 'StoredDeliveries' },
)

export const SourceParams = Type.Object({ company_id: Uuid('The company.'), source_id: Uuid('The source.') })

const needsDeveloper = 'Needs the role `developer`.'
/** The error of a declaration that cannot be saved. */
export const wrongDeclaration = {
  code: 'invalid_argument',
  when: 'Something declared is wrong; `field` says where, such as `metrics[0].group_by[1]`.',
} as const

export const listSourcesContract = contract({
  api: 'console',
  operationId: 'listSources',
  summary: 'List the sources of a company',
  description:
    'In the order they were created. For every member: reports are read by source; `activity` is for developers.',
  tags: ['Sources'],
  guard: 'session',
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

export const createSourceContract = contract({
  api: 'console',
  operationId: 'createSource',
  summary: 'Make a source',
  description:
    'With its declaration, which is shape version 1. The answer for a webhook source has its signing secret. ' +
    needsDeveloper,
  tags: ['Sources'],
  guard: 'session',
  params: CompanyParams,
  body: NewSource,
  responses: { 201: { description: 'The source.', body: createdSourceSchema } },
  errors: [
    wrongDeclaration,
    {
      code: 'conflict',
      when:
        'Another source of the company has that name: field `name`; case and spaces make no difference. Or the company has as ' +
        'many sources as it may; the message says how many.',
    },
  ],
})

export const showSourceContract = contract({
  api: 'console',
  operationId: 'showSource',
  summary: 'Show a source with its shape versions',
  description: `Newest version first. ${needsDeveloper}`,
  tags: ['Sources'],
  guard: 'session',
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
                created_at: DateTime('When it was made.'),
                ends_at: OrNull(DateTime('Until when it works; null: it is the current one.')),
              },
              { title: 'SigningSecretState' },
            ),
            { description: 'Those that work, the current one first; none of a push source.' },
          ),
          versions: Type.Array(shapeVersionSchema, { description: 'Newest first.' }),
          next_cursor: NextCursor,
        },
        { title: 'SourceWithVersions' },
      ),
    },
  },
})

const newSecretNeedsSignIn = {
  code: 'sign_in_again',
  when: 'It becomes a webhook source, which has a new signing secret, and the session’s sign-in is too old.',
} as const

export const changeSourceContract = contract({
  api: 'console',
  operationId: 'changeSource',
  summary: 'Rename a source, or change how it delivers',
  description:
    'What is left out stays. Makes no new shape version. Where it becomes a webhook source, the answer has its new ' +
    `signing secret; where it becomes a push source, its secrets end. ${needsDeveloper}`,
  tags: ['Sources'],
  guard: 'session',
  params: SourceParams,
  body: Type.Object(
    {
      name: Type.Optional(settingFields.name),
      system_kind: Type.Optional(settingFields.system_kind),
      channel: Type.Optional(settingFields.channel),
      format: Type.Optional(settingFields.format),
    },
    { ...strict, title: 'SourceChange' },
  ),
  responses: { 200: { description: 'The source.', body: createdSourceSchema } },
  errors: [
    { code: 'conflict', when: 'Another source of the company has that name: field `name`.' },
    newSecretNeedsSignIn,
  ],
})

export const saveSourceContract = contract({
  api: 'console',
  operationId: 'saveSource',
  summary: 'Save a source whole',
  description:
    'Its settings and its declaration, in one step. An unchanged declaration creates no new ' +
    'shape version. Otherwise as `changeSource` and `saveDeclaration`: a source that becomes a webhook source gets a ' +
    `signing secret, and where metrics change, stored deliveries are aggregated again. ${needsDeveloper}`,
  tags: ['Sources'],
  guard: 'session',
  params: SourceParams,
  body: Type.Object(
    {
      expected_revision: Type.Integer({
        minimum: 1,
        description: '`revision` of the source that was changed.',
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
          created_version: Type.Boolean({ description: 'The declaration is a new shape version.' }),
          rebuilds: Type.Boolean({ description: 'The stored deliveries are being rebuilt.' }),
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
        'Another member saved meanwhile: field `expected_revision`, and `details` has their `source` and `version`, as ' +
        '`showSource` gives them. Or another source of the company has that name: field `name`. Or the source has as many ' +
        'versions as it may; the message says how many.',
    },
  ],
})

export const endPreviousSigningSecretContract = contract({
  api: 'console',
  operationId: 'endPreviousSigningSecret',
  summary: 'End the signing secret before the current one',
  description: `At once, not after 24 hours. Where none still works, nothing changes. ${needsDeveloper}`,
  tags: ['Sources'],
  guard: 'session',
  params: SourceParams,
  body: NoFields,
  responses: { 204: { description: 'Only the current one works.' } },
})

export const rotateSigningSecretContract = contract({
  api: 'console',
  operationId: 'rotateSigningSecret',
  summary: 'Rotate the signing secret of a webhook source',
  description:
    'The new one works immediately, the previous one for 24 hours; one from an earlier rotation ends. ' +
    needsDeveloper,
  tags: ['Sources'],
  guard: 'session',
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
      when: 'It is no webhook source, or the current secret was sealed under another master key.',
    },
  ],
})

export const saveDeclarationContract = contract({
  api: 'console',
  operationId: 'saveDeclaration',
  summary: 'Save a declaration',
  description:
    'Each save is the next shape version. Where it counts otherwise than before, the stored deliveries are aggregated ' +
    `again; until that is done, the old samples are read. ${needsDeveloper}`,
  tags: ['Sources'],
  guard: 'session',
  params: SourceParams,
  body: Type.Object(
    {
      expected_version: Type.Integer({ minimum: 1, description: 'The version that was changed.' }),
      ...declarationFields,
    },
    { ...strict, title: 'DeclarationSave' },
  ),
  responses: {
    200: {
      description: 'Saved.',
      body: Type.Object(
        {
          shape_version: Type.Integer({ minimum: 2, description: 'The version that this save created.' }),
          rebuilds: Type.Boolean({ description: 'The stored deliveries are being rebuilt.' }),
        },
        { title: 'SavedDeclaration' },
      ),
    },
  },
  errors: [
    wrongDeclaration,
    {
      code: 'conflict',
      when:
        'Another version was saved meanwhile: the current one is not the expected one. Or the source has as many ' +
        'as it may; the message says how many.',
    },
  ],
})

function action(operationId: string, summary: string, description: string) {
  return contract({
    api: 'console',
    operationId,
    summary,
    description: `${description} ${needsDeveloper}`,
    tags: ['Sources'],
    guard: 'session',
    params: SourceParams,
    body: NoFields,
    responses: { 204: { description: 'Done.' } },
  })
}

export const pauseSourceContract = contract({
  api: 'console',
  operationId: 'pauseSource',
  summary: 'Pause a source',
  description:
    'New deliveries get 409 `source_paused`, and nothing of them is kept. A source that is paused already stays as it ' +
    `is, with who paused it and why. ${needsDeveloper}`,
  tags: ['Sources'],
  guard: 'session',
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
    { code: 'invalid_argument', when: 'The reason is too long, or holds control or formatting characters.' },
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

export const listKnownMetricsContract = contract({
  api: 'console',
  operationId: 'listKnownMetrics',
  summary: 'List the metrics that may be declared',
  description: 'The same for every company.',
  tags: ['Sources'],
  guard: 'session',
  responses: {
    200: {
      description: 'The metrics.',
      body: Type.Object(
        {
          metrics: Type.Array(
            Type.Object(
              {
                key: Type.String({ description: 'As it is declared.' }),
                name: Type.String({ description: 'As it is shown.' }),
                unit: Type.String({ description: 'What is counted.' }),
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
