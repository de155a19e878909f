/**
 * Runs every benchmark, one after another, and writes what they print to bench/RESULTS.md, with the commit and the machine.
 *
 *   npm run bench
 *
 * Takes about 30 minutes, needs pgbench on the PATH, and wants the machine for itself: every figure stands beside a rival's
 * from the same run, and the ratios are what to quote.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'

const benchmarks = [
  { title: 'Accepting, beside pgbench and a plain route', words: ['accept/accept.ts'] },
  { title: 'Accepting webhooks, beside pushes', words: ['accept/webhooks.ts'] },
  { title: 'Reading and aggregating, beside DuckDB', words: ['parsing/aggregate-json.ts'] },
  {
    title: 'Reading and aggregating CSV, beside parsers that only split it',
    words: ['parsing/aggregate-csv.ts'],
  },
  { title: 'Parts made by hand for speed, beside the plain way', words: ['parsing/hand-made.ts'] },
  { title: 'What deliveries take on disk', words: ['parsing/written-bytes.ts'] },
  { title: 'What small deliveries take on disk', words: ['parsing/written-bytes.ts', '20000'] },
  { title: 'Memory of a worker, whatever the document', words: ['parsing/worker-memory.ts'] },
  { title: 'From 202 to a readable sample, beside a commit', words: ['samples/latency.ts'] },
  { title: 'Reading samples, beside a bare route', words: ['samples/reads.ts'] },
  { title: 'Reading samples as an app, beside a service connection', words: ['oauth/delegated-read.ts'] },
  { title: 'Exchanging refresh tokens, beside oidc-provider', words: ['oauth/refresh.ts'] },
  { title: 'What a delivery costs as its source grows', words: ['samples/growth.ts'] },
  { title: 'Filters of the developer page, a million deliveries', words: ['pages/deliveries-filters.ts'] },
  { title: 'The same in a browser', words: ['pages/deliveries-page.ts'] },
  { title: 'Reports in a browser', words: ['pages/reports.ts'] },
  { title: 'Open developer pages: told, beside asking', words: ['pages/deliveries-live.ts'] },
]
const minutesMax = 15

const runOne = async (words: string[]): Promise<string> => {
  const [script, ...rest] = words
  const child = spawn(process.execPath, [join(import.meta.dirname, script!), ...rest], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: minutesMax * 60_000,
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    process.stdout.write(text)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${script} ended with ${code}`)
  return output.trimEnd()
}

const git = (...words: string[]): string => execFileSync('git', words, { encoding: 'utf8' }).trim()
const sections = []
const inShort = ['| figure | reached | wanted |', '|---|---|---|']
for (const { title, words } of benchmarks) {
  process.stdout.write(`\n${title}\n`)
  const lines = (await runOne(words)).split('\n')
  // Rows of `in-short.ts`.
  inShort.push(...lines.filter((line) => line.startsWith('| ')))
  const said = lines.filter((line) => !line.startsWith('| ')).join('\n')
  sections.push(`## ${title}\n\n\`node bench/${words.join(' ')}\`\n\n\`\`\`\n${said.trim()}\n\`\`\`\n`)
}
const gibibytes = Math.round(totalmem() / 2 ** 30)
const head = `# Results

Written by \`npm run bench\`. Every figure stands beside a rival's from the same run; quote the ratios.

- commit ${git('rev-parse', '--short', 'HEAD')}, ${new Date().toISOString().slice(0, 10)}
- ${cpus().length} cores of ${cpus()[0]?.model ?? 'an unknown kind'}, ${gibibytes} GiB; the load generator runs on the same cores
- Node ${process.versions.node}, the embedded PostgreSQL with its usual, durable settings

## In short

${inShort.join('\n')}
`
await writeFile(join(import.meta.dirname, 'RESULTS.md'), `${head}\n${sections.join('\n')}`)
