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

const guides = join(import.meta.dirname, '../../../../docs/guides')
const page = readFileSync(join(guides, 'webhooks.md'), 'utf8')
const vectors = JSON.parse(readFileSync(join(guides, 'webhook-test-vectors.json'), 'utf8')) as Vector[]

test.each(vectors)('the published signature is reproduced: $name', (vector) => {
  const body = vector.body_hex === undefined ? Buffer.from(vector.body!) : Buffer.from(vector.body_hex, 'hex')
  expect(webhookSignature(vector.secret, vector.t, vector.delivery_id, body)).toBe(vector.v1)
})

/** A body as the page's table has it: escaped as in JSON, but for the quotes. */
const written = ({ body, body_hex: hex }: Vector): string => {
  if (hex !== undefined) return ` hex \`${hex}\` `
  return body === '' ? ' ' : ` \`${JSON.stringify(body).slice(1, -1).replaceAll('\\"', '"')}\` `
}

test('the page has every vector in its table, says how many there are, and which secrets they are signed with', () => {
  expect(page).toContain('these seven')
  expect(vectors).toHaveLength(7)
  const secrets = [...new Set(vectors.map(({ secret }) => secret))]
  expect(page.replaceAll(/\s+/g, ' ')).toContain(`\`A\` is \`${secrets[0]}\`, \`B\` is \`${secrets[1]}\`.`)
  for (const vector of vectors) {
    const secret = 'AB'[secrets.indexOf(vector.secret)]
    const cells = `${vector.name} | ${secret} | \`${vector.t}\` | \`${vector.delivery_id}\` |${written(vector)}| \`${vector.v1}\``
    expect(page).toContain(`\n| ${cells} |\n`)
  }
})
