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
import { sessionContract } from '../../platform/http/contract.ts'
import { languages } from '../../platform/http/requests/preferred-language.ts'
import { begunOrderSchema, orderOriginFields, orderProgressFields } from '../../people/identity/contract.ts'
import { connectionStates, expiresSoonDays, servicePermissions } from './connection.ts'

const strict = { additionalProperties: false }

const Permissions = Type.Array(Type.Enum([...servicePermissions]), {
  minItems: 1,
  description: 'What it may do. Fixed when it is created.',
})
const CredentialKindName = Type.Enum(['client', 'static'], {
  description:
    '`client`: a client id, and a secret that the signing creates; a token is got with them. `static`: sent as it is.',
})

const companyFields = {
  company_id: Uuid('The company.'),
  orgnr: Type.String({ description: 'Organisation number as it is shown.' }),
  name: Type.String({ description: 'Its name.' }),
}

const connectionSchema = Type.Object(
  {
    connection_id: Uuid('The connection.'),
    company: Type.Object(companyFields, {
      description:
        'The company that owns it. Owners also see connections of other companies that act on theirs.',
    }),
    name: Type.String({ description: 'At most 100 characters.' }),
    state: Type.Enum([...connectionStates], {
      description: '`unsigned`: waits for its creator’s signature, and is not accepted until then.',
    }),
    kind: Type.Enum(['production', 'sandbox', 'demo'], {
      description: 'A sandbox connection sends test data.',
    }),
    credential_kind: CredentialKindName,
    permissions: Permissions,
    source: OrNull(
      Type.Object(
        { source_id: Uuid('The source.'), name: Type.String({ description: 'Its name.' }) },
        { description: 'Null if it is bound to none: then each call names one.' },
      ),
    ),
    further_companies: Type.Array(Type.Object(companyFields), {
      description:
        'The further companies that it acts on, as long as its creator manages them. Of another company’s connection: ' +
        'the company that asks, and no other one.',
    }),
    client_id: OrNull(
      Type.String({ description: 'For client credentials; null for another company’s connection.' }),
    ),
    created_by: OrNull(
      Type.Object({
        member_id: Uuid('Who created it.'),
        name: OrNull(Type.String({ description: 'Their name.' })),
        is_member: Type.Boolean({
          description: 'False if they have left your company, whose connection remains.',
        }),
      }),
    ),
    created_at: DateTime('When.'),
    signature_id: OrNull(Uuid('The signature that it works by; null of another company’s connection.')),
    signed_at: OrNull(DateTime('When it was signed.')),
    signed_with: OrNull(
      Type.String({
        description:
          'The electronic identity that it was signed with; null for another company’s connection.',
      }),
    ),
    expires_at: OrNull(DateTime('A year after the signing.')),
    expires_in_days: OrNull(
      Type.Integer({
        minimum: 0,
        description: 'Days until then, by the calendar of its company; null if it is not signed.',
      }),
    ),
    expires_soon: Type.Boolean({
      description: `True in its last ${expiresSoonDays} days: create and sign its successor.`,
    }),
    revoked_at: OrNull(DateTime('When it was revoked.')),
    revoked_by: OrNull(
      Type.Object(
        {
          member_id: Uuid('Who ended it.'),
          name: OrNull(Type.String({ description: 'Their name.' })),
        },
        { description: 'Null if the operator did, and for another company’s connection.' },
      ),
    ),
    last_used_at: OrNull(
      DateTime(
        'Its last call, refused ones included, to the minute and up to two minutes late; null if there was none, and for ' +
          'another company’s connection.',
      ),
    ),
    credentials: Type.Array(
      Type.Object({
        last_four: OrNull(
          Type.String({
            description: 'Its last four characters; null if it was created before they were stored.',
          }),
        ),
        created_at: DateTime('When it was created.'),
        ends_at: OrNull(DateTime('When it ends after a rotation; null for the current one.')),
      }),
      {
        description:
          'Its client secrets or static credentials that still work, newest first, to tell them apart. ' +
          'Empty of another company’s connection.',
      },
    ),
    previous_credential_ends_at: OrNull(
      DateTime(
        'After a rotation: until when the credential before the current one works; null of another company’s connection.',
      ),
    ),
  },
  { title: 'Connection' },
)

const ConnectionParams = Type.Object({
  company_id: Uuid('The company.'),
  connection_id: Uuid('The connection.'),
})
const SigningParams = Type.Object({
  company_id: Uuid('The company.'),
  connection_id: Uuid('The connection.'),
  order_id: Uuid('The order.'),
})

const needsDeveloper = 'Needs the role `developer`.'
const shownOnce = 'Shown here and never again.'

export const listConnectionsContract = sessionContract({
  operationId: 'listConnections',
  summary: 'List the connections of a company',
  description:
    'Newest first, with the state and the company of each. Owners also get the connections of other companies that act ' +
    `on theirs, and can take it off them (\`releaseConnection\`). ${needsDeveloper}`,
  tags: ['Connections'],
  params: CompanyParams,
  query: Type.Object({
    ...PageQuery.properties,
    state: Type.Optional(Type.Enum([...connectionStates], { description: 'Only those in this state.' })),
    source_id: Type.Optional(Uuid('Only connections bound to this source.')),
    created_by: Type.Optional(Uuid('Only connections that this member created.')),
  }),
  responses: {
    200: {
      description: 'The connections.',
      body: Type.Object(
        { connections: Type.Array(connectionSchema), next_cursor: NextCursor },
        { title: 'ConnectionList' },
      ),
    },
  },
})

export const createConnectionContract = sessionContract({
  operationId: 'createConnection',
  summary: 'Create a connection',
  description: `It works once you have signed it. Everything about it is fixed from now on. ${needsDeveloper}`,
  tags: ['Connections'],
  params: CompanyParams,
  body: Type.Object(
    {
      name: Type.String({ description: 'At most 100 characters.' }),
      source_id: OrNull(Uuid('The source it is bound to; null: to none.')),
      permissions: Permissions,
      kind: Type.Enum(['production', 'sandbox'], { description: 'A sandbox connection sends test data.' }),
      credential_kind: CredentialKindName,
      further_company_ids: Type.Optional(
        Type.Array(Uuid('A company.'), {
          maxItems: 100,
          description: 'Further companies that you are owner or developer of; only without a source.',
        }),
      ),
    },
    { ...strict, title: 'NewConnection' },
  ),
  responses: {
    201: {
      description: 'The connection.',
      body: Type.Object(
        {
          connection: connectionSchema,
          credential: Type.Optional(
            Type.String({
              description: `The static credential, which opens nothing until signed. ${shownOnce}`,
            }),
          ),
        },
        { title: 'CreatedConnection' },
      ),
    },
  },
  errors: [
    {
      code: 'invalid_argument',
      when: 'There is no permission, or there are further companies together with a source.',
    },
    { code: 'conflict', when: 'The company has its maximum of connections; the message says how many.' },
  ],
})

export const showConnectionContract = sessionContract({
  operationId: 'showConnection',
  summary: 'Show a connection',
  description: `Owners also see connections of other companies that act on theirs. ${needsDeveloper}`,
  tags: ['Connections'],
  params: ConnectionParams,
  responses: { 200: { description: 'The connection.', body: connectionSchema } },
})

export const startSigningConnectionContract = sessionContract({
  operationId: 'startSigningConnection',
  summary: 'Start to sign a connection',
  description:
    'Only its maker signs it, with their electronic identity. The text names all that is fixed, and the end.',
  tags: ['Connections'],
  metered: true,
  params: ConnectionParams,
  body: Type.Object(
    {
      language: Type.Optional(
        Type.Enum([...languages], {
          description: 'The language of the text that is signed; English by default.',
        }),
      ),
      ...orderOriginFields,
    },
    { ...strict, title: 'ConnectionToSign' },
  ),
  responses: { 200: { description: 'The order.', body: begunOrderSchema } },
  errors: [
    { code: 'permission_denied', when: 'Another member created it, or it is another company’s.' },
    { code: 'conflict', when: 'It is already signed or revoked.' },
  ],
})

export const collectConnectionSignatureContract = sessionContract({
  operationId: 'collectConnectionSignature',
  summary: 'Collect the signature of a connection',
  description:
    'Ask every other second while it is pending. Once complete, the client secret is in the answer: of the call that ' +
    'is first.',
  tags: ['Connections'],
  params: SigningParams,
  body: NoFields,
  responses: {
    200: {
      description: 'The progress.',
      body: Type.Object(
        {
          state: Type.Enum(['pending', 'failed', 'complete', 'completed_before'], {
            description: '`completed_before`: another call got the result.',
          }),
          ...orderProgressFields,
          connection: Type.Optional(connectionSchema),
          secret: Type.Optional(
            Type.String({ description: `When complete, with client credentials: the secret. ${shownOnce}` }),
          ),
        },
        { title: 'ConnectionSigningProgress' },
      ),
    },
  },
  errors: [
    {
      code: 'conflict',
      when:
        'It was signed with another order, or revoked, meanwhile; or it acts on fewer companies than the text says, and ' +
        'has to be signed again.',
    },
  ],
})

export const cancelSigningConnectionContract = sessionContract({
  operationId: 'cancelSigningConnection',
  summary: 'Cancel the signature of a connection',
  description: 'The connection remains unsigned, and can be signed later.',
  tags: ['Connections'],
  params: SigningParams,
  body: NoFields,
  responses: { 204: { description: 'The order is over.' } },
})

export const rotateConnectionContract = sessionContract({
  operationId: 'rotateConnection',
  summary: 'Rotate the credential of a connection',
  description:
    'The new one works immediately, the old one for the overlap; one from an earlier rotation ends. No end date ' +
    'moves. For its maker, and for members who could make it: developers of every company that it acts on. ' +
    needsDeveloper,
  tags: ['Connections'],
  params: ConnectionParams,
  body: Type.Object(
    {
      overlap_hours: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 168,
          description: 'How long the old one works; 24 by default.',
        }),
      ),
    },
    { ...strict, title: 'Rotation' },
  ),
  responses: {
    200: {
      description: 'Rotated.',
      body: Type.Object(
        {
          connection: connectionSchema,
          credential: Type.String({
            description: `The new client secret or static credential. ${shownOnce}`,
          }),
        },
        { title: 'RotatedConnection' },
      ),
    },
  },
  errors: [
    {
      code: 'permission_denied',
      when: 'It acts on companies that you are not a developer of, and another member created it; or it is another company’s.',
    },
    { code: 'sign_in_again', when: 'The session’s sign-in is too old.' },
    { code: 'conflict', when: 'It is not signed, expired or revoked.' },
  ],
})

export const revokeConnectionContract = sessionContract({
  operationId: 'revokeConnection',
  summary: 'Revoke a connection',
  description: `Permanently: its credentials and tokens open nothing from the next call on. ${needsDeveloper}`,
  tags: ['Connections'],
  params: ConnectionParams,
  body: NoFields,
  responses: { 200: { description: 'The connection.', body: connectionSchema } },
  errors: [{ code: 'permission_denied', when: 'It is another company’s.' }],
})

export const releaseConnectionContract = sessionContract({
  operationId: 'releaseConnection',
  summary: 'Release a company from another company’s connection',
  description:
    'From the next call on, the connection permanently loses access to the company; it keeps working for others. One of ' +
    'the company’s own is revoked instead. Needs the role `owner`.',
  tags: ['Connections'],
  params: ConnectionParams,
  body: NoFields,
  responses: { 204: { description: 'Released.' } },
  errors: [{ code: 'conflict', when: 'The connection is the company’s own.' }],
})
