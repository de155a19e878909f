import { expect, test } from 'vitest'
import { readBlocks, readPage } from './page.ts'

const readText = (text: string) => readBlocks('docs/page.md', text)
const readRoles = (text: string) => readText(text).map(({ role }) => role)

test('the scene of a page is that of its front matter, or none', () => {
  expect(readPage('docs/page.md', '---\ntitle: Push\nscene: events\n---\nText').scene).toBe('events')
  expect(readPage('README.md', '# Text\n').scene).toBe('none')
  expect(() => readPage('docs/page.md', '---\nscene: circus\n---\n')).toThrow(
    'docs/page.md: there is no scene circus',
  )
})

test('a block of sh is run, and the block directly after it is its output', () => {
  expect(readText('Ask:\n\n```sh\ncurl -s "$NUMERA"\n```\n\n```json\n{}\n```\n')).toEqual([
    { line: 3, language: 'sh', text: 'curl -s "$NUMERA"\n', role: 'run' },
    { line: 7, language: 'json', text: '{}\n', role: 'output' },
  ])
  expect(() => readText('```sh\nls\n```\nIt says:\n```text\na\n```\n')).toThrow(
    /^docs\/page.md:5: this block of text is neither run/,
  )
})

test('the links of the last section are the next pages', () => {
  const text =
    '# Push\n[No](no.md)\n## Where next\n- [Samples](samples.md#a-window), [errors](../errors.md), [out](https://x.example/a.md)\n'
  expect(readPage('docs/guides/push.md', text).next).toEqual(['docs/guides/samples.md', 'docs/errors.md'])
})

test('a block with a file is written, in any language', () => {
  expect(readText('```ts file=push.ts\nawait 1\n```\n')).toEqual([
    { line: 1, language: 'ts', text: 'await 1\n', role: 'file', file: 'push.ts' },
  ])
})

test('a block that is not run has a reason, as has its output', () => {
  const text = '```sh not-run="no .NET here"\ndotnet run\n```\n```text\nHello\n```\n'
  expect(readText(text)).toMatchObject([
    { role: 'not-run', reason: 'no .NET here' },
    { role: 'not-run', reason: 'no .NET here' },
  ])
})

test('each block must have a role, a language and an end', () => {
  expect(() => readText('```\na\n```\n')).toThrow('docs/page.md:1: "```" names no language')
  expect(() => readText('\n```php\n1\n```\n')).toThrow('docs/page.md:2: this block of php is neither run')
  expect(() => readText('```sh title=a\nls\n```\n')).toThrow('docs/page.md:1: unknown: title')
  expect(() => readText('```sh\nls\n')).toThrow('docs/page.md:1: this block is never closed')
})

test('a longer fence may contain shorter ones, and a block in a list loses its indent', () => {
  expect(readRoles('````text not-run="an example"\n```sh\nls\n```\n````\n')).toEqual(['not-run'])
  expect(readText('1. Say:\n\n   ```sh\n   if true\n     then ls\n\n   fi\n   ```\n')).toEqual([
    { line: 3, language: 'sh', text: 'if true\n  then ls\n\nfi\n', role: 'run' },
  ])
})
