import { Type } from 'typebox'
import {
  CompanyParams,
  DateTime,
  NextCursor,
  NoFields,
  OrNull,
  PageQuery,
  Uuid,
} from '../http/console-schemas.ts'
import { contract } from '../http/contract.ts'
import { devices } from './identity-provider.ts'
import { personalNumberCharactersMax, personNameCharactersMax } from './demo/demo-page.ts'

/** Of the path of a page to come back to; that of a consent is as long as the app made it. A longer one is refused. */
export const returnToCharactersMax = 16_384

/** How a person goes on with an order; its members are absent when there is nothing to show. */
export const presentationSchema = Type.Object(
  {
    open_url: Type.Optional(
      Type.String({ description: 'To be opened in the same browser: the demo’s page, or the broker’s.' }),
    ),
    launch_url: Type.Optional(
      Type.String({ description: 'Starts the app on this device, where the order is for this device.' }),
    ),
    qr_text: Type.Optional(
      Type.String({
        description:
          'Text of the QR code at this moment, where the order is for another device; it changes every second.',
      }),
    ),
  },
  { title: 'Presentation', description: 'How the person goes on.' },
)

export const begunOrderSchema = Type.Object(
  {
    order_id: Uuid('Names the order when asking how it stands.'),
    expires_at: DateTime('When it has failed if nobody answered.'),
    demo: Type.Boolean({
      description: 'True with the demo’s electronic identity: anyone may claim to be anyone.',
    }),
    presentation: presentationSchema,
    visible_text: Type.Optional(Type.String({ description: 'What the person is asked to sign.' })),
  },
  { title: 'BegunOrder', description: 'An order at the electronic identity that waits for the person.' },
)

export const OrderParams = Type.Object({ order_id: Uuid('The order.') })

export const orderProgressFields = {
  hint: Type.Optional(
    Type.String({ description: 'While pending: what is waited for, as the provider says.' }),
  ),
  reason: Type.Optional(
    Type.String({
      description:
        'When failed: `refused`, `expired`, `unavailable`, `not_verified`, `other_network`, `no_public_address`, `ended`, ' +
        '`used`, `other_person`, or the provider’s own word.',
    }),
  ),
  presentation: Type.Optional(presentationSchema),
  visible_text: Type.Optional(
    Type.String({ description: 'While pending: what the person is asked to sign.' }),
  ),
}

/** What each call that begins an order may say of where it comes from. */
export const orderOriginFields = {
  /** The page that a person comes back to from their electronic identity: an address within these pages. */
  return_to: Type.Optional(
    OrNull(
      Type.String({
        maxLength: returnToCharactersMax,
        description:
          'Path of the page that the person comes back to, with its query and without fragment; the first page where it is ' +
          'left out. Null: the page that began must stay as it is, and the app opens no address.',
      }),
    ),
  ),
  device: Type.Optional(
    Type.Enum([...devices], {
      description:
        'Where the person has BankID’s app: on `this` device, which is then given what starts it, or on an `other` (unless ' +
        'said), for which there is a QR code. Other electronic identities ignore it.',
    }),
  ),
}

export const startSignInContract = contract({
  api: 'console',
  operationId: 'startSignIn',
  summary: 'Begin to sign in',
  description:
    'Begins an order at the electronic identity, and sets a cookie without which the order cannot be collected.',
  tags: ['Session'],
  guard: 'none',
  metered: true,
  body: Type.Object(orderOriginFields, { additionalProperties: false, title: 'BeginSignIn' }),
  responses: { 200: { description: 'The order.', body: begunOrderSchema } },
})

export const collectSignInContract = contract({
  api: 'console',
  operationId: 'collectSignIn',
  summary: 'Ask how a sign-in stands',
  description:
    'Ask every other second while it is pending. Once complete, the session’s cookie is set: for the call that is first.',
  tags: ['Session'],
  guard: 'none',
  params: OrderParams,
  body: NoFields,
  responses: {
    200: {
      description: 'How it stands.',
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
  errors: [{ code: 'not_found', when: 'There is no such order, or another browser began it.' }],
})

export const returnFromAppContract = contract({
  api: 'console',
  operationId: 'returnFromApp',
  summary: 'Come back from BankID’s app',
  description:
    'For the return page, which the app opens on its device: proves that the order was answered on the device that began it, and ' +
    'says which page continues it.',
  tags: ['Session'],
  guard: 'none',
  body: Type.Object(
    {
      return_nonce: Type.String({
        pattern: '^[A-Za-z0-9_-]{43}$',
        description: 'Of the address that the app opened: 256 bits as base64url.',
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
  errors: [{ code: 'not_found', when: 'There is no such order, or another browser began it.' }],
})

export const cancelSignInContract = contract({
  api: 'console',
  operationId: 'cancelSignIn',
  summary: 'Give up a sign-in',
  description: 'Ends the order at the electronic identity.',
  tags: ['Session'],
  guard: 'none',
  params: OrderParams,
  body: NoFields,
  responses: { 204: { description: 'It is over.' } },
  errors: [{ code: 'not_found', when: 'There is no such order, or another browser began it.' }],
})

const signatureFields = {
  signature_id: Uuid('The signature.'),
  member: Type.Object({
    member_id: Uuid('Who signed.'),
    name: OrNull(Type.String({ description: 'Their name.' })),
  }),
  company_id: OrNull(Uuid('The company it was signed for.')),
  company_name: OrNull(Type.String({ description: 'As the company is called now.' })),
  subject: Type.String({ description: 'What it is about, such as `connection:<id>`.' }),
  visible_text: Type.String({ description: 'What the person read.' }),
  record: Type.String({ description: 'What was signed, as canonical JSON.' }),
  record_sha256: Type.String({ description: 'SHA-256 of the record, hexadecimal.' }),
  provider: Type.String({ description: 'The electronic identity; `demo` proves nothing.' }),
  signed_at: DateTime('When.'),
}

const SignatureList = Type.Object(
  { signatures: Type.Array(Type.Object(signatureFields, { title: 'Signature' })), next_cursor: NextCursor },
  { title: 'SignatureList' },
)

export const listOwnSignaturesContract = contract({
  api: 'console',
  operationId: 'listOwnSignatures',
  summary: 'List what you have signed',
  description: 'Newest first.',
  tags: ['Signatures'],
  guard: 'session',
  query: PageQuery,
  responses: { 200: { description: 'The signatures.', body: SignatureList } },
})

export const showEvidenceContract = contract({
  api: 'console',
  operationId: 'showEvidence',
  summary: 'Read the evidence of what you have signed',
  description:
    'The signature with the proof of the electronic identity, to be kept. It holds your personal number. Yours only: another ' +
    'member’s is 404.',
  tags: ['Signatures'],
  guard: 'session',
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

export const listSignaturesOfCompanyContract = contract({
  api: 'console',
  operationId: 'listSignaturesOfCompany',
  summary: 'List what was signed for a company',
  description: 'Newest first, whoever signed. Needs the role `developer`.',
  tags: ['Signatures'],
  guard: 'session',
  params: CompanyParams,
  query: PageQuery,
  responses: { 200: { description: 'The signatures.', body: SignatureList } },
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
        description: 'Who they claim to be; needed to approve.',
      }),
    ),
    name: Type.Optional(
      Type.String({
        maxLength: personNameCharactersMax,
        description: 'Their name; needed to approve.',
      }),
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
  responses: {
    200: { description: 'The page.', mediaType: 'text/html', body: Type.String() },
  },
})

export const answerDemoOrderContract = contract({
  api: 'console',
  operationId: 'answerDemoOrder',
  summary: 'Answer an order of the demo’s electronic identity',
  description:
    'Approves it as a person, or refuses it. The first answer stands. JSON gets 204, the form of the page gets a page.',
  tags: ['Demo identity'],
  guard: 'none',
  params: DemoReference,
  bodies: [
    { mediaType: 'application/json', schema: DemoAnswer },
    { mediaType: 'application/x-www-form-urlencoded', schema: DemoAnswer },
  ],
  responses: {
    200: { description: 'To the form: a page that says so.', mediaType: 'text/html', body: Type.String() },
    204: { description: 'Answered.' },
  },
  errors: [
    { code: 'invalid_argument', when: 'The personal number or the name is wrong.' },
    { code: 'not_found', when: 'There is no open order of that reference.' },
  ],
})
