import { Type } from 'typebox'
import {
  CompanyParams,
  DateTime,
  Day,
  etagHeader,
  Flag,
  OrNull,
  Text,
  unchanged,
  Uuid,
  Whole,
} from '../../platform/http/console-schemas.ts'
import { contract, sessionContract } from '../../platform/http/contract.ts'
import { orgnr, sourceIdExample, strayParameter, uuid } from '../../engine/samples/parameters.ts'
import { attentionKinds } from './attention-item.ts'
import { attentionItemsMax, correctedDays, endingDays, limitPercentMin } from './list-attention.ts'

const itemFields = {
  key: Text('Names the item for as long as it lasts.'),
  version: Text('Changes when something new has happened to it.'),
  kind: Type.Enum([...attentionKinds], {
    description:
      '`source_late`: three times the usual time has passed without a delivery. `period_corrected`: a statement received in ' +
      `the last ${correctedDays} days changed a month that had ended, and had been stated after its end. \`rows_refused\`: of the source’s ` +
      'last delivery. `paused_refusing`: a paused source refuses calls. `connection_ends`: within ' +
      `${endingDays} days, or it has ended. \`credential_ends\`, \`secret_ends\`: one that was rotated still works. \`limit_near\`: ` +
      `${limitPercentMin}% of a limit is used. \`parsing_late\`: deliveries have waited for an hour. Further ones may come.`,
  }),
  since: OrNull(DateTime('Since when; null if that is not known.')),
  source: OrNull(
    Type.Object(
      { source_id: uuid('The source.'), name: Text('Its name.') },
      { description: 'Null if it is about none.' },
    ),
  ),
  connection: OrNull(
    Type.Object(
      { connection_id: uuid('The connection.'), name: Text('Its name.') },
      { description: 'Null if it is about none.' },
    ),
  ),
  metric: OrNull(Text('The key of a corrected metric.')),
  period_start: OrNull(Day('The first day of the corrected month.')),
  artifact_id: OrNull(uuid('The delivery with refused rows.')),
  count: OrNull(
    Whole(
      'Refused rows, null if the delivery cannot be read; refused calls; waiting deliveries; per cent of the limit.',
    ),
  ),
  ends_at: OrNull(DateTime('When it ends.')),
  limit: OrNull(Text('The limit.')),
}

const more = Flag(`Whether there are more than the ${attentionItemsMax} listed.`)

export const listAttentionContract = sessionContract({
  operationId: 'listAttention',
  summary: 'List what needs attention in a company',
  description:
    'The latest first. For every member; readers see what is about figures: late sources and corrected months.',
  tags: ['Companies'],
  params: CompanyParams,
  responses: {
    200: {
      description: 'The items.',
      headers: etagHeader,
      body: Type.Object(
        {
          items: Type.Array(
            Type.Object(
              {
                ...itemFields,
                done: OrNull(
                  Type.Object(
                    {
                      member_id: Uuid('Who marked it as done.'),
                      name: OrNull(Text('Their name.')),
                      at: DateTime('When.'),
                    },
                    { description: 'Null while it is open, and again once it has another version.' },
                  ),
                ),
              },
              { title: 'ListedAttention' },
            ),
          ),
          more,
        },
        { title: 'CompanyAttention' },
      ),
    },
    304: unchanged,
  },
})

export const markAttentionContract = sessionContract({
  operationId: 'markAttention',
  summary: 'Mark an item as done, or open it again',
  description: 'For all members of the company. Any member may, of what they see; the first mark stands.',
  tags: ['Companies'],
  params: CompanyParams,
  body: Type.Object(
    {
      key: Type.String({ maxLength: 200, description: 'The item.' }),
      version: Type.String({ maxLength: 200, description: 'Its version as it was seen.' }),
      done: Flag('False opens it again.'),
    },
    { additionalProperties: false, title: 'AttentionMark' },
  ),
  responses: { 204: { description: 'Marked.' } },
  errors: [
    { code: 'not_found', when: 'The company has no such item any more.' },
    { code: 'conflict', when: 'Something new has happened to it since it was seen.' },
  ],
})

export const readAttentionContract = contract({
  api: 'public',
  operationId: 'readAttention',
  summary: 'Read what needs attention',
  description:
    'Find out what a person should look at, such as a source that is late.\n\n' +
    'Of the company’s real data, the latest first; a connection bound to a source reads what is about that one, an app what a ' +
    'reader of the company sees. For a sandbox connection it is empty.',
  tags: ['Samples'],
  addition: true,
  guard: 'bearer',
  permission: 'metrics.read',
  source: 'none',
  checkedByRoute: true,
  query: Type.Object({ orgnr }),
  responses: {
    200: {
      description: 'The items.',
      headers: etagHeader,
      body: Type.Object(
        {
          items: Type.Array(
            Type.Object(
              {
                ...itemFields,
                done_at: OrNull(DateTime('When a member marked it as done; null while it is open.')),
              },
              { title: 'AttentionItem', additionalProperties: false },
            ),
            { description: 'The latest first.' },
          ),
          more,
        },
        { title: 'Attention', additionalProperties: false },
      ),
      examples: {
        late: {
          summary: 'A late source',
          value: {
            items: [
              {
                key: `source_late ${sourceIdExample}`,
                version: '2026-02-27T05:00:00.000Z',
                kind: 'source_late',
                since: '2026-02-27T05:00:00.000Z',
                source: { source_id: sourceIdExample, name: 'Shop' },
                connection: null,
                metric: null,
                period_start: null,
                artifact_id: null,
                count: null,
                ends_at: null,
                limit: null,
                done_at: null,
              },
            ],
            more: false,
          },
        },
      },
    },
    304: unchanged,
  },
  errors: [
    {
      code: 'invalid_argument',
      when: `\`orgnr\` is missing or is not an organisation number, ${strayParameter}`,
    },
  ],
})
