import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'

const folders: string[] = []
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })))
})

/** The front page links to them. */
const always = { 'docs/guides/start-here.md': '# Start here\n', 'docs/guides/apps.md': '# Apps\n' }

/** Builds these files as the documents of a repository. */
const build = async (files: Record<string, string>) => {
  const root = await mkdtemp(join(tmpdir(), 'numera-documents-'))
  folders.push(root)
  for (const [name, content] of Object.entries({ ...always, ...files })) {
    await mkdir(join(root, dirname(name)), { recursive: true })
    await writeFile(join(root, name), content)
  }
  const said = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [join(import.meta.dirname, 'build.ts'), join(root, 'built')],
      { cwd: root },
      (_error, _out, errors) => resolve(errors),
    )
  })
  const page = (name: string): Promise<string> => readFile(join(root, 'built', `${name}.html`), 'utf8')
  const names = (): Promise<string[]> => readdir(join(root, 'built'), { recursive: true }).catch(() => [])
  return { said, page, names }
}

const first = `---
title: First
summary: One sentence.
section: Begin
order: 1
---

# First

See [the second](second.md#a-part-1), [errors](../errors.md), [why](../decisions/why.md) and [rows](rows.csv).

| what | how much |
|---|--:|
| \`one\` | 2 |

\`\`\`sh
curl "$NUMERA" # it says
\`\`\`

\`\`\`json
{"a": 1}
\`\`\`

\`\`\`ts file=push.ts
const a: string = '<b>'
\`\`\`
`

test('The documents become pages, with their links, headings, code and tables', async () => {
  const { said, page, names } = await build({
    'docs/guides/first.md': first,
    'docs/guides/second.md': '# The `second`\n\n## A part\n\n## A part\n\n{{ stays }} [up](first.md)\n',
    'docs/guides/sv/first.md':
      '---\ntitle: Första\nsection: Begin\n---\n\n[Fel](../../errors.md)\n\n## Så här\n',
    'docs/guides/rows.csv': 'a;b\n',
    'docs/errors.md': '# Errors\n\nOf `source_paused`.\n',
    'docs/decisions/why.md': '# Why\n',
    'docs/trials.md': '# Trials\n',
  })
  expect(said).not.toContain('not built')
  const pages = (await names()).filter((name) => name.endsWith('.html'))
  expect(pages.toSorted()).toEqual(
    '404 apps errors first index.demo index second start-here sv.demo sv sv/404 sv/first'
      .split(' ')
      .map((name) => `${name}.html`),
  )
  expect(await names()).toContain('first.html.br')

  const html = await page('first')
  expect(html.match(/<h1/g)).toHaveLength(1)
  expect(html).toContain('<html lang="en">')
  expect(html).toContain('<meta name="description" content="One sentence." />')
  expect(html).toContain('<a href="/docs/second#a-part-1">the second</a>')
  expect(html).toContain('<a href="/docs/errors">errors</a>')
  // Links to anything but a page become plain text.
  expect(html).toContain(', why and')
  expect(html).toMatch(/<a href="\/docs\/assets\/rows-[\w-]{8}\.csv">rows<\/a>/)
  expect(html).toContain('<td class="right" data-column="how much">2</td>')
  expect(html).toContain('<span class="w-comment"># it says</span>')
  expect(html).toContain('<span>Output</span>')
  expect(html).toContain('<span>push.ts</span>')
  expect(html).toContain('&lt;b&gt;')
  expect(html).toContain('<link rel="alternate" hreflang="sv" href="/docs/sv/first" />')
  expect(html).toContain('<a class="card" href="/docs/apps" rel="next">')

  const second = await page('second')
  expect(second).toContain('<h1>The second</h1>')
  expect(second).toContain('{{ stays }}')
  expect(second).toContain('<h2 id="a-part-1"><a href="#a-part-1" class="anchor">A part</a></h2>')

  const swedish = await page('sv/first')
  expect(swedish).toContain('<html lang="sv">')
  expect(swedish).toContain('<a href="/docs/errors" hreflang="en">Fel</a>')
  expect(swedish).toContain('<h2 id="så-här">')
  expect(swedish).toContain('<a class="item" href="/docs/first" lang="en" hreflang="en">')
})

test('All problems of the documents are reported together, and nothing is written', async () => {
  const { said, names } = await build({
    'docs/guides/first.md':
      '---\nsection: Beginning\n---\n\n# First\n\n[gone](gone.md) [part](second.md#part)\n',
    'docs/guides/second.md': '# Second\n\n<p style="color: red">red</p>\n\n![drawing](drawing.svg)\n',
    'docs/guides/third.md': 'No title.\n',
  })
  expect(said).toContain('docs/guides/first.md links to gone.md, which is not there.')
  expect(said).toContain('/docs/first leads to /docs/second#part: that page has no such heading.')
  expect(said).toContain('docs/guides/first.md is in the section "Beginning"')
  expect(said).toContain('docs/guides/second.md links to drawing.svg, which is not there.')
  expect(said).toContain('/docs/second holds a style in the page.')
  expect(said).toContain('docs/guides/third.md has no title.')
  expect(await names()).toEqual([])
})
