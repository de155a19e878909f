import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { absoluteMarkdown, readGuidePages, type GuidePage } from './guide-pages.ts'
import { writeLlmsFullText, writeLlmsText } from '../api-documents/llms-text.ts'

const baseUrl = 'https://numera.example.com'

const files: Record<string, string> = {
  'guides/push.md': `---
title: Push
summary: "Send rows: idempotency, retries."
section: Send
order: 1
---

# Push

See [samples](samples.md#trace), [errors](../errors.md), [why](../decisions/pushing.md), [the API](/docs/api),
[RFC 9110](https://www.rfc-editor.org/rfc/rfc9110) and [above](#push).
![A drawing](../images/a.webp)

\`\`\`ts file=push.ts
const rows = names[0](samples.md)
\`\`\`
`,
  'guides/samples.md': '---\ntitle: Samples\nsummary: Read them.\nsection: Read\norder: 1\n---\nText.\n',
  'guides/begin.md': '---\ntitle: Start here\nsummary: Five minutes.\nsection: Begin\norder: 2\n---\nText.\n',
  'guides/ideas.md': '---\ntitle: Concepts\nsummary: Ideas.\nsection: Begin\norder: 1\n---\nText.\n',
  'guides/sv/begin.md':
    '---\ntitle: Börja här\nsummary: Fem minuter.\nsection: Begin\norder: 1\n---\nText.\n',
  'errors.md': '---\ntitle: Errors\nsummary: Each code.\nsection: Look up\norder: 1\n---\nText.\n',
  'trials.md': '# Trials\n',
  'decisions/pushing.md': '---\ntitle: no page\n---\n',
}

let folder: string
let pages: GuidePage[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'numera-docs-'))
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), text)
  }
  pages = await readGuidePages(folder)
})
afterAll(() => rm(folder, { recursive: true }))

test('pages are the files that say what they are, by section and order, English before Swedish', () => {
  expect(pages.map(({ name }) => name)).toEqual(['ideas', 'begin', 'push', 'samples', 'errors', 'sv/begin'])
  expect(pages[2]).toMatchObject({
    file: 'guides/push.md',
    title: 'Push',
    summary: 'Send rows: idempotency, retries.',
    section: 'Send',
    language: 'en',
  })
})

test('links between pages become addresses, links to other files become text, and code stays as it is', () => {
  expect(absoluteMarkdown(pages[2]!, pages, baseUrl)).toBe(`See [samples](${baseUrl}/docs/samples#trace), \
[errors](${baseUrl}/docs/errors), why, [the API](${baseUrl}/docs/api),
[RFC 9110](https://www.rfc-editor.org/rfc/rfc9110) and [above](${baseUrl}/docs/push#push).
A drawing

\`\`\`ts file=push.ts
const rows = names[0](samples.md)
\`\`\``)
})

test('llms.txt lists English pages by section, and leaves what is in Swedish for the end', () => {
  const text = writeLlmsText(pages, baseUrl)
  const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, section]) => section)
  expect(sections).toEqual(['Begin', 'Send', 'Read', 'Look up', 'API', 'Optional'])
  expect(text).toContain(`\n- [Push](${baseUrl}/docs/push): Send rows: idempotency, retries.\n`)
  expect(text.endsWith(`## Optional\n\n- [Börja här](${baseUrl}/docs/sv/begin): Fem minuter.\n`)).toBe(true)
})

test('llms-full.txt has the Markdown of every English page under its title', () => {
  const text = writeLlmsFullText(pages, baseUrl)
  const titles = [...text.matchAll(/^# (.+)$/gm)].map(([, title]) => title)
  expect(titles).toEqual(['Numera', 'Concepts', 'Start here', 'Push', 'Samples', 'Errors'])
  expect(text).toContain(`# Errors\n\nEach code.\n\nSource: ${baseUrl}/docs/errors\n\nText.\n`)
})
