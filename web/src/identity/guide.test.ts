/// <reference types="node" />
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hintCodes } from '../../../src/people/identity/bankid/faults.ts'
import { en } from '../language/en/identity.ts'
import { failureTexts } from './failure-texts.ts'

const guide = join(import.meta.dirname, '../../../docs/guides/electronic-identity.md')
const texts: Record<string, Record<string, string>> = en as Pick<typeof en, 'bankId' | 'next' | 'reason'>

/** The text after scanning the code of a sign-in. */
function findText(reason: string): string {
  const said = failureTexts(reason, 'bankid', false, 'other').map((key) => {
    const [group, name] = key.split('.') as [string, string]
    return texts[group]![name]
  })
  return said.join(' ').replace('{{provider}}', 'BankID')
}

test('The guide to electronic identity quotes the page’s text for each reason', async () => {
  const [, table = ''] = (await readFile(guide, 'utf8')).split('| reason | the page says | what to do |')
  const rows = [...table.matchAll(/^\| (.*?) \| (.*?) \|/gm)]
  const reasons = rows.map(([, reason]) => /^`(\w+)`$/.exec(reason!)?.[1] ?? 'anotherWord')
  const wrong = rows.flatMap(([, , sentence], row) => {
    const said = findText(reasons[row]!)
    return said.startsWith(sentence!) ? [] : [`${reasons[row]}: ${said}`]
  })
  expect(wrong).toEqual([])
  const known = [...hintCodes.failed, 'alreadyInProgress', 'ended', 'used', ...Object.keys(en.reason)]
  const isWithout = (reason: string) =>
    !reasons.includes(reason) && !findText(reason).includes('“{{reason}}”')
  expect(known.filter(isWithout)).toEqual([])
})
