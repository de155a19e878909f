import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { errorCodes } from '../platform/http/errors/errors.ts'
import { oauthErrors } from '../oauth/oauth-error.ts'
import type { RedirectErrorName } from '../oauth/redirect-error.ts'
import { refusalReasons } from '../engine/parsing/plan/refusal.ts'

/**
 * `docs/errors.md` has a section for each error, under its name: `Link: …; rel="help"` leads there. And it has none for
 * anything else.
 */

/** An error that only a redirect carries has no status. */
const redirectErrors: Record<RedirectErrorName, number | undefined> = {
  access_denied: undefined,
  invalid_request: oauthErrors.invalid_request,
  unsupported_response_type: undefined,
  invalid_scope: oauthErrors.invalid_scope,
  invalid_target: oauthErrors.invalid_target,
}

/** `## All codes` and its like, by their title. */
const parts = new Map<string, string>()
beforeAll(async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/errors.md'), 'utf8')
  for (const part of page.split(/^## /m).slice(1)) parts.set(part.split('\n', 1)[0]!, part)
})

describe.each<[title: string, expected: Record<string, number | undefined>]>([
  ['All codes', errorCodes],
  ['OAuth endpoints', { ...oauthErrors, ...redirectErrors }],
])('%s', (title, expected) => {
  test('every error has a section that begins with its status, and no other has one', () => {
    const sections = parts.get(title)!.split(/^### /m).slice(1)
    const said = sections.map((section) => /^(\w+)\n\n([^.]+)\./.exec(section)!)
    expect(said.map(([, name]) => name).toSorted()).toEqual(Object.keys(expected).toSorted())
    for (const [, name, sentence] of said) {
      const status = expected[name!]
      expect(sentence, name).toContain(status === undefined ? 'By redirect' : String(status))
    }
  })

  test('every error with a status is in the table, which leads to its section', () => {
    const rows = Array.from(
      parts.get(title)!.matchAll(/^\| (\d{3}) \| \[`(\w+)`\]\(#\2\) \|/gm),
      ([, status, name]) => `${name} ${status}`,
    )
    const wanted = Object.entries(expected).flatMap(([name, status]) =>
      status === undefined ? [] : [`${name} ${status}`],
    )
    expect(rows).toEqual(expect.arrayContaining(wanted))
    expect(new Set(rows.map((row) => row.split(' ')[0]))).toEqual(
      new Set(wanted.map((row) => row.split(' ')[0])),
    )
  })
})

test('every reason that refuses a row has a row in the table of refused rows, and no other', () => {
  const rows = parts.get('Refused rows')!.matchAll(/^\| `(\w+)` \|/gm)
  expect(Array.from(rows, ([, reason]) => reason).toSorted()).toEqual(Object.keys(refusalReasons).toSorted())
})
