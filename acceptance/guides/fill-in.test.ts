import { expect, test } from 'vitest'
import { fillIn } from './fill-in.ts'

const values: Record<string, string> = { CREDENTIAL: 'nsk_abc', SOURCE_ID: '019a' }
const fill = (script: string) => fillIn(script, 'http://127.0.0.1:1', async (name) => values[name])

test('the address and the placeholders of a page become the reader’s own', async () => {
  expect(await fill('export NUMERA=http://localhost:8080\n')).toBe('export NUMERA=http://127.0.0.1:1\n')
  expect(await fill('export CREDENTIAL=nsk_… SOURCE_ID="019b…"\n')).toBe(
    "export CREDENTIAL='nsk_abc' SOURCE_ID='019a'\n",
  )
})

test('an unknown variable is a fault of the page', async () => {
  await expect(fill('export SECRET=…\n')).rejects.toThrow('the scene of this page has no SECRET')
  await expect(fill('numera source show --source 0198…\n')).rejects.toThrow(
    'nothing is known to put in for the … in "numera source show --source 0198…"',
  )
  expect(await fill('sleep 1 # and so on …\n')).toBe('sleep 1 # and so on …\n')
})
