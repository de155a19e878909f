/// <reference types="node" />
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { en } from '../language/identity.en.ts'

const guide = join(import.meta.dirname, '../../../docs/guides/electronic-identity.md')

test('What the guide to electronic identity says that a person is told is what the pages say', async () => {
  const [, table = ''] = (await readFile(guide, 'utf8')).split('| reason | the page says | what to do |')
  const said = [...table.matchAll(/^\| .*? \| (.*?) \|/gm)].map(([, sentence]) => sentence!).slice(1)
  expect(said.length).toBeGreaterThan(10)
  const texts = [...Object.values(en.bankId), ...Object.values(en.reason)].map((text) =>
    text.replace('{{provider}}', 'BankID'),
  )
  expect(said.filter((sentence) => !texts.some((text) => text.startsWith(sentence)))).toEqual([])
})
