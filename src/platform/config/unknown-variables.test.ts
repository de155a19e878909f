import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findUnknownVariables, variables } from './unknown-variables.ts'

test('Every variable of docs/configuration.md is known, and no other', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/configuration.md'), 'utf8')
  const rows = Array.from(page.matchAll(/^\| `([A-Z_]+)` \|/gm), ([, name]) => name)
  expect(variables.toSorted()).toEqual(rows.toSorted())
})

test.each([
  ['NUMERA_HTTP_PROT', 'Did you mean NUMERA_HTTP_PORT?'],
  ['NUMERA_PORT', 'Did you mean NUMERA_HTTP_PORT?'],
  ['NUMERA_DATABASE_URL', 'Did you mean DATABASE_URL?'],
  ['NUMERA_OIDC_CLIENTID', 'Did you mean NUMERA_OIDC_CLIENT_ID?'],
  ['NUMERA_X', 'See docs/configuration.md.'],
])('A variable that nothing reads is named with the nearest one, and never shown: %s', (name, remedy) => {
  expect(findUnknownVariables({ [name]: 'a secret', NUMERA_HTTP_PORT: '8080', PATH: '/bin' })).toEqual([
    `${name} is no setting of Numera and is ignored. ${remedy}`,
  ])
})
