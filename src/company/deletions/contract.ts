import { Type } from 'typebox'
import { begunOrderSchema, orderOriginFields, orderProgressFields } from '../../people/identity/contract.ts'
import {
  CompanyParams,
  DateTime,
  Day,
  NoFields,
  OrNull,
  Text,
  Uuid,
  Whole,
} from '../../platform/http/console-schemas.ts'
import { sessionContract } from '../../platform/http/contract.ts'
import { languages } from '../../platform/http/requests/preferred-language.ts'

const SigningParams = Type.Object({ company_id: Uuid('The company.'), order_id: Uuid('The order.') })

export const showDeletionContract = sessionContract({
  operationId: 'showDeletion',
  summary: 'Show the deletion of a company',
  description: 'How far it is, and what comes next. Needs the role `owner`.',
  tags: ['Companies'],
  params: CompanyParams,
  responses: {
    200: {
      description: 'The deletion.',
      body: Type.Object(
        {
          deletion: OrNull(
            Type.Object(
              {
                state: Type.Enum(['requested', 'scheduled'], {
                  description:
                    '`requested`: signed by one owner. `scheduled`: nothing is received or changed, and after `deletes_after` ' +
                    'everything is deleted.',
                }),
                requested_at: DateTime('When the first owner signed.'),
                requested_by: Type.Object({
                  member_id: Uuid('The first owner who signed.'),
                  name: OrNull(Text('Their name.')),
                }),
                void_at: OrNull(DateTime('When a request without a second signature is void.')),
                deletes_after: OrNull(Day('The last day on which it can be withdrawn.')),
              },
              { title: 'Deletion' },
            ),
          ),
          exported_at: OrNull(
            DateTime('The last export of the company within 30 days, which the first signature needs.'),
          ),
          owners: Whole('Of the company. Where there is one, the operator confirms its deletion.'),
        },
        { title: 'DeletionState' },
      ),
    },
  },
})

export const startSigningDeletionContract = sessionContract({
  operationId: 'startSigningDeletion',
  summary: 'Start to sign the deletion of a company',
  description:
    'With your electronic identity. The first owner’s signature requests the deletion; the second one, another owner’s, ' +
    'starts its 30 days. Needs the role `owner`.',
  tags: ['Companies'],
  metered: true,
  params: CompanyParams,
  body: Type.Object(
    {
      language: Type.Optional(
        Type.Enum([...languages], {
          description: 'The language of the text that is signed; English by default.',
        }),
      ),
      ...orderOriginFields,
    },
    { additionalProperties: false, title: 'DeletionToSign' },
  ),
  responses: { 200: { description: 'The order.', body: begunOrderSchema } },
  errors: [
    {
      code: 'conflict',
      when: 'You have signed it, it is scheduled, or the company was not exported within 30 days.',
    },
  ],
})

export const collectDeletionSignatureContract = sessionContract({
  operationId: 'collectDeletionSignature',
  summary: 'Collect the signature of a deletion',
  description: 'Ask every other second while it is pending.',
  tags: ['Companies'],
  params: SigningParams,
  body: NoFields,
  responses: {
    200: {
      description: 'The progress.',
      body: Type.Object(
        {
          state: Type.Enum(['pending', 'failed', 'complete', 'completed_before'], {
            description: '`completed_before`: by another call.',
          }),
          ...orderProgressFields,
        },
        { title: 'DeletionSigningProgress' },
      ),
    },
  },
  errors: [
    {
      code: 'conflict',
      when: 'The deletion was signed, withdrawn or requested again meanwhile: sign again.',
    },
  ],
})

export const cancelSigningDeletionContract = sessionContract({
  operationId: 'cancelSigningDeletion',
  summary: 'Cancel the signature of a deletion',
  description: 'It can be signed later.',
  tags: ['Companies'],
  params: SigningParams,
  body: NoFields,
  responses: { 204: { description: 'The order is over.' } },
})

export const withdrawDeletionContract = sessionContract({
  operationId: 'withdrawDeletion',
  summary: 'Withdraw the deletion of a company',
  description: 'Requested or scheduled. The sources that it paused are active again. Needs the role `owner`.',
  tags: ['Companies'],
  params: CompanyParams,
  body: NoFields,
  responses: { 204: { description: 'Withdrawn.' } },
  errors: [{ code: 'conflict', when: 'There is none, or its 30 days are over.' }],
})
