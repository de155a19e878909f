import { Type } from 'typebox'
import {
  DateTime,
  NextCursor,
  NoFields,
  OrNull,
  PageQuery,
  Uuid,
} from '../../platform/http/console-schemas.ts'
import { type ErrorUse, contract, sessionContract } from '../../platform/http/contract.ts'
import { personalNumberCharactersMax, personNameCharactersMax } from './demo/demo-page.ts'
import { devices } from './identity-provider.ts'

/** Of the path of a page to return to; that of a consent is as long as the app made it. A longer one is 400. */
const returnToCharactersMax = 16_384

const presentationSchema = Type.Object(
  {
    open_url: Type.Optional(
      Type.String({ description: 'To open in the same browser: the demo’s page, or the provider’s.' }),
    ),
    launch_url: Type.Optional(
      Type.String({ description: 'Starts the app on this device, if the order is for this device.' }),
    ),
    qr_text: Type.Optional(
      Type.String({
        description: 'Text of the QR code now, if the order is for another device. It changes every second.',
      }),
    ),
  },
  {
    title: 'Presentation',
    description: 'How the person continues. Members are absent when there is nothing to show.',
  },
)

export const begunOrderSchema = Type.Object(
  {
    order_id: Uuid('The order, for collecting it.'),
    expires_at: DateTime('When it fails unless the person has started to answer.'),
    demo: Type.Boolean({
      description: 'True with the demo’s electronic identity: anyone may claim to be anyone.',
    }),
    presentation: presentationSchema,
    visible_text: Type.Optional(Type.String({ description: 'What the person is to sign.' })),
  },
  { title: 'BegunOrder', description: 'An order at the electronic identity that waits for the person.' },
)

export const OrderParams = Type.Object({ order_id: Uuid('The order.') })

export const orderProgressFields = {
  hint: Type.Optional(
    Type.String({ description: 'While pending: what it waits for, in the provider’s word.' }),
  ),
  reason: Type.Optional(
    Type.String({
      description:
        'When failed: `refused`, `expired`, `unavailable`, `not_verified`, `other_network`, `no_public_address`, `ended`, ' +
        '`used`, `other_person`, or the provider’s own word.',
    }),
  ),
  presentation: Type.Optional(presentationSchema),
  visible_text: Type.Optional(Type.String({ description: 'While pending: what the person is to sign.' })),
}

/** What each call that begins an order may say of its origin. */
export const orderOriginFields = {
  return_to: Type.Optional(
    OrNull(
      Type.String({
        maxLength: returnToCharactersMax,
        description:
          'Path of the page that the person returns to, with its query and without fragment; the first page by default. ' +
          'Null: the page must stay open, and the app opens no address.',
      }),
    ),
  ),
  device: Type.Optional(
    Type.Enum([...devices], {
      description:
        'Where the person has BankID’s app: on `this` device, for which the answer has an address that starts it, or on an ' +
        '`other` (the default), for which it has a QR code. Other electronic identities ignore it.',
    }),
  ),
}

const noSuchSignIn: ErrorUse[] = [
  { code: 'not_found', when: 'There is no such order, or another browser began it.' },
]

export const startSignInContract = contract({
  api: 'console',
  operationId: 'startSignIn',
  summary: 'Start to sign in',
  description:
    'Starts an order at the electronic identity, and sets a cookie that is needed to collect the order.',
  tags: ['Session'],
  guard: 'none',
  metered: true,
  body: Type.Object(orderOriginFields, { additionalProperties: false, title: 'BeginSignIn' }),
  responses: { 200: { description: 'The order.', body: begunOrderSchema } },
})

export const collectSignInContract = contract({
  api: 'console',
  operationId: 'collectSignIn',
  summary: 'Collect a sign-in',
  description:
    'Call it every other second while the order is pending. The first call after it is complete sets the session’s cookie.',
  tags: ['Session'],
  guard: 'none',
  params: OrderParams,
  body: NoFields,
  responses: {
    200: {
      description: 'The progress.',
      body: Type.Object(
        {
          state: Type.Enum(['pending', 'failed', 'complete']),
          ...orderProgressFields,
          member_id: Type.Optional(Uuid('When complete: who is signed in.')),
        },
        { title: 'SignInProgress' },
      ),
    },
  },
  errors: noSuchSignIn,
})

export const returnFromAppContract = contract({
  api: 'console',
  operationId: 'returnFromApp',
  summary: 'Return from BankID’s app',
  description:
    'For the return page, which the app opens on its device: proves that the order was answered on the device that began it, and ' +
    'says which page continues it.',
  tags: ['Session'],
  guard: 'none',
  body: Type.Object(
    {
      return_nonce: Type.String({
        pattern: '^[A-Za-z0-9_-]{43}$',
        description: 'From the address that the app opened: 256 bits as base64url.',
      }),
    },
    { additionalProperties: false, title: 'ReturnFromApp' },
  ),
  responses: {
    200: {
      description: 'This browser began the order.',
      body: Type.Object(
        { return_to: Type.String({ description: 'Path of the page to go to.' }) },
        { title: 'ReturnedFromApp' },
      ),
    },
  },
  errors: noSuchSignIn,
})

export const cancelSignInContract = contract({
  api: 'console',
  operationId: 'cancelSignIn',
  summary: 'Cancel a sign-in',
  description: 'Ends the order at the electronic identity.',
  tags: ['Session'],
  guard: 'none',
  params: OrderParams,
  body: NoFields,
  responses: { 204: { description: 'The order is over.' } },
  errors: noSuchSignIn,
})

const signatureFields = {
  signature_id: Uuid('The signature.'),
  member: Type.Object({
    member_id: Uuid('Who signed.'),
    name: OrNull(Type.String({ description: 'Their name.' })),
  }),
  company_id: OrNull(Uuid('The company it was signed for.')),
  company_name: OrNull(Type.String({ description: 'The company’s present name.' })),
  subject: Type.String({ description: 'What it is about, such as `connection:<id>`.' }),
  visible_text: Type.String({ description: 'What the person read.' }),
  record: Type.String({ description: 'What was signed, as canonical JSON.' }),
  record_sha256: Type.String({ description: 'SHA-256 of the record, hexadecimal.' }),
  provider: Type.String({ description: 'The electronic identity; `demo` proves nothing.' }),
  signed_at: DateTime('When.'),
}

export const listOwnSignaturesContract = sessionContract({
  operationId: 'listOwnSignatures',
  summary: 'List what you have signed',
  description: 'Newest first.',
  tags: ['Signatures'],
  query: PageQuery,
  responses: {
    200: {
      description: 'The signatures.',
      body: Type.Object(
        {
          signatures: Type.Array(Type.Object(signatureFields, { title: 'Signature' })),
          next_cursor: NextCursor,
        },
        { title: 'SignatureList' },
      ),
    },
  },
})

export const showEvidenceContract = sessionContract({
  operationId: 'showEvidence',
  summary: 'Read the evidence of what you have signed',
  description:
    'The signature with the proof of the electronic identity, for you to keep. It contains your personal number. Another ' +
    'member’s is 404.',
  tags: ['Signatures'],
  params: Type.Object({ signature_id: Uuid('The signature.') }),
  responses: {
    200: {
      description: 'The evidence.',
      body: Type.Object(
        {
          ...signatureFields,
          evidence: Type.String({ description: 'The proof, as the electronic identity gave it.' }),
        },
        { title: 'SignatureEvidence' },
      ),
    },
  },
  errors: [{ code: 'not_found', when: 'You have no such signature.' }],
})

const DemoReference = Type.Object({
  reference: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'From the order’s `open_url`.' }),
})

export const DemoAnswer = Type.Object(
  {
    answer: Type.Enum(['approve', 'refuse'], { description: 'What the person does.' }),
    personal_number: Type.Optional(
      Type.String({
        maxLength: personalNumberCharactersMax,
        description: 'Who they claim to be; required to approve.',
      }),
    ),
    name: Type.Optional(
      Type.String({ maxLength: personNameCharactersMax, description: 'Their name; required to approve.' }),
    ),
  },
  { title: 'DemoAnswer' },
)

export const showDemoOrderContract = contract({
  api: 'console',
  operationId: 'showDemoOrder',
  summary: 'The page of the demo’s electronic identity',
  description:
    'Where a person answers an order as anyone they claim to be. Only on deployments with the demo identity.',
  tags: ['Demo identity'],
  guard: 'none',
  params: DemoReference,
  responses: { 200: { description: 'The page.', mediaType: 'text/html', body: Type.String() } },
})

export const answerDemoOrderContract = contract({
  api: 'console',
  operationId: 'answerDemoOrder',
  summary: 'Answer an order of the demo’s electronic identity',
  description:
    'Approves it as a person, or refuses it. Only the first answer counts. JSON gets 204, the page’s form gets a page.',
  tags: ['Demo identity'],
  guard: 'none',
  params: DemoReference,
  bodies: ['application/json', 'application/x-www-form-urlencoded'].map((mediaType) => ({
    mediaType,
    schema: DemoAnswer,
  })),
  responses: {
    200: {
      description: 'To the form: a page with the outcome.',
      mediaType: 'text/html',
      body: Type.String(),
    },
    204: { description: 'Answered.' },
  },
  errors: [
    { code: 'invalid_argument', when: 'The personal number or the name is wrong.' },
    { code: 'not_found', when: 'No open order has that reference.' },
  ],
})
