import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { webhookSignature } from './signature.ts'

interface Vector {
  name: string
  secret: string
  t: number
  delivery_id: string
  body?: string
  body_hex?: string
  v1: string
}

const document = readFileSync(join(import.meta.dirname, '../../../docs/webhook-signature.md'), 'utf8')
const vectors = JSON.parse(/```json\n(\[\n.*?\n\])\n```/s.exec(document)![1]!) as Vector[]

test.each(vectors)('the published signature is made: $name', (vector) => {
  const body = vector.body_hex === undefined ? Buffer.from(vector.body!) : Buffer.from(vector.body_hex, 'hex')
  expect(webhookSignature(vector.secret, vector.t, vector.delivery_id, body)).toBe(vector.v1)
})

test('the document says how many vectors it has, and its example is the first of them', () => {
  expect(document).toContain('these seven')
  expect(vectors).toHaveLength(7)
  const [{ t, v1, delivery_id: id, body }] = vectors as [Vector]
  expect(document).toContain(`Service-Delivery-Id: ${id}\nService-Signature: t=${t},v1=${v1}\n\n${body}\n`)
})
