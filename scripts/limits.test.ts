import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { limitsPage } from './limits.ts'

const readDocument = (name: string): Promise<string> =>
  readFile(join(import.meta.dirname, '../docs', name), 'utf8')

test('docs/limits.md says what the code has (npm run limits)', async () => {
  expect(await readDocument('limits.md')).toBe(limitsPage)
})

test('every variable that sets a limit is in docs/configuration.md', async () => {
  const configuration = await readDocument('configuration.md')
  const variables = Array.from(limitsPage.matchAll(/`(NUMERA_\w+)`/g), ([, name]) => name!)
  expect(variables.filter((name) => !configuration.includes(`\n| \`${name}\` |`))).toEqual([])
})

/** Specification, "Limits", row by row. */
test.each([
  ['calls of a service connection, reads and pushes together', '60 a minute, burst 20'],
  ['webhook deliveries of a source', '60 a minute, burst 20'],
  ['calls of the demo connection, by client network', '10 a minute, burst 5'],
  ['body of a delivery', '8 MiB'],
  ['`idempotency_key` and `Service-Delivery-Id`', '200 characters'],
  ['`dropped_keys` in a receipt', '50'],
  ['window of a read', '731 days'],
  ['samples of one answer', '5,000'],
  ['clock skew of a webhook signature, either way', '300 s'],
  ['how long the previous signing secret keeps working', '24 h'],
  ['access token', '1 h'],
  ['authorization code', '5 min'],
  ['delegated connection, from the consent', '90 days'],
  ['registrations from an address', '3 a minute, burst 3'],
  ['registrations from a client network', '3 a minute, burst 10'],
  ['registrations of the deployment in an hour', '120'],
  ['registered redirect addresses', '10'],
  ['`client_name`', '100 characters'],
  ['`companies` parameter of authorize', '100'],
])('the specification’s limit of %s is the default', (what, value) => {
  expect(limitsPage).toContain(`\n| ${what} | ${value} |`)
})
