/** What programs that read text are given of the documents (llmstxt.org). Pure. */
import { absoluteMarkdown, type GuidePage } from '../web-app/guide-pages.ts'

const head = `# Numera

> Companies push their own numbers into one service; people and apps read them back, exact and traceable.

- A company's systems push to \`POST /v1/ingest\`, or sign webhooks to \`POST /v1/webhooks/{source_id}\`; \`GET /v1/samples\` \
reads. Parsing follows the 202.
- A credential goes into \`Authorization: Bearer\`, never into a URL.
- Numbers are strings of exact decimals. Days, weeks and months are counted in the company's time zone.
- After 429, 5xx and no answer, send the same body with the same idempotency key again; no other 4xx unchanged.
`

function line(name: string, address: string, summary: string): string {
  return `- [${name}](${address}): ${summary}\n`
}

/** `/llms.txt`: every page with its summary and address, by section; then what describes the API. */
export function writeLlmsText(pages: readonly GuidePage[], baseUrl: string): string {
  const list = (some: readonly GuidePage[]): string =>
    some.map(({ title, name, summary }) => line(title, `${baseUrl}/docs/${name}`, summary)).join('')
  const english = Map.groupBy(
    pages.filter(({ language }) => language === 'en'),
    ({ section }) => section,
  )
  const swedish = pages.filter(({ language }) => language === 'sv')
  return [
    head,
    ...[...english].map(([section, some]) => `## ${section}\n\n${list(some)}`),
    `## API\n\n${[
      line('OpenAPI document', `${baseUrl}/openapi.json`, 'Every endpoint, field and error, with examples.'),
      line('The same in YAML', `${baseUrl}/openapi.yaml`, 'For tools that want it so.'),
      line('Reference', `${baseUrl}/docs/api`, 'The same to read, and to try in a browser.'),
      line(
        'Postman collection',
        `${baseUrl}/docs/numera.postman_collection.json`,
        'Every operation, with example bodies.',
      ),
      line('All pages in one text', `${baseUrl}/llms-full.txt`, 'The Markdown of every page above.'),
    ].join('')}`,
    ...(swedish.length === 0 ? [] : [`## Optional\n\n${list(swedish)}`]),
  ].join('\n')
}

/** `/llms-full.txt`: the Markdown of every page in English, one after the other, with links that lead there from anywhere. */
export function writeLlmsFullText(pages: readonly GuidePage[], baseUrl: string): string {
  const english = pages.filter(({ language }) => language === 'en')
  return [
    head,
    ...english.map(
      (page) =>
        `# ${page.title}\n\n${page.summary}\n\nSource: ${baseUrl}/docs/${page.name}\n\n${absoluteMarkdown(page, pages, baseUrl)}\n`,
    ),
  ].join('\n')
}
