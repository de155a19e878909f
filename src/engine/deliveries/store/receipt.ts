import { Type } from 'typebox'
import type { Answer } from '../../../platform/http/contract.ts'
import { droppedKeysMax } from '../../formats/dropped-keys.ts'
import type { Delivers } from '../../declarations/declaration.ts'

/** The contents of a receipt. All of it is stored, so that a replay gives the same bytes. */
interface ReceiptFacts {
  artifactId: string
  shapeVersion: number
  sandbox: boolean
  droppedKeys: readonly string[]
  delivers: Delivers
}

/** The body of a 202, with its six members in the specification's order. */
export function writeReceipt(facts: ReceiptFacts): string {
  const { artifactId, shapeVersion, sandbox, droppedKeys, delivers } = facts
  const dropped = droppedKeys.length === 0 ? '[]' : JSON.stringify(droppedKeys)
  return (
    `{"artifact_id":"${artifactId}","shape_version":${shapeVersion},"status":"queued",` +
    `"sandbox":${sandbox},"dropped_keys":${dropped},"delivers":"${delivers}"}`
  )
}

const receiptSchema = Type.Object(
  {
    artifact_id: Type.String({
      format: 'uuid',
      description: 'What was stored: the handle by which samples lead back to it.',
    }),
    shape_version: Type.Integer({ minimum: 1, description: 'The version it will be parsed under.' }),
    status: Type.Literal('queued', { description: 'Stored, and parsed afterwards.' }),
    sandbox: Type.Boolean({ description: 'Whether it came over a sandbox connection, and is test data.' }),
    dropped_keys: Type.Array(Type.String(), {
      maxItems: droppedKeysMax,
      description:
        'Undeclared keys that were carried and not kept, sorted, each up to its two hundredth character; ' +
        'empty when there were none.',
    }),
    delivers: Type.Union([Type.Literal('events'), Type.Literal('statements')], {
      description: 'Whether its rows add to what came before, or are the whole of every period they touch.',
    }),
  },
  { title: 'Receipt', additionalProperties: false, description: 'What became of a delivery.' },
)

const example = {
  artifact_id: '01977c1e-6e1b-7c3a-9f54-2f0f6a0d5b11',
  shape_version: 1,
  status: 'queued',
  sandbox: false,
  dropped_keys: [],
  delivers: 'events',
}

/** The 202 of every channel. */
export const receiptAnswer: Answer = {
  description: 'Stored, now or when it was first sent.',
  body: receiptSchema,
  headers: {
    'Idempotent-Replayed': {
      description: 'Present where the delivery had been stored before: this is its first receipt.',
      schema: Type.Literal('true'),
    },
  },
  examples: {
    stored: { summary: 'Stored', value: example },
    dropped: {
      summary: 'With undeclared keys',
      value: { ...example, dropped_keys: ['internal_note', 'margin'] },
    },
  },
}
