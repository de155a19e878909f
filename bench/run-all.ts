/**
 * Runs all benchmarks one after another, and writes their output to bench/RESULTS.md, with the commit and the machine.
 *
 *   npm run bench
 *
 * Takes about 30 minutes on an otherwise idle machine, and needs pgbench on the PATH. Quote the ratios: each compares a
 * figure with a rival's from the same run.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'

const benchmarks = [
  { title: 'Accepting pushes, compared with pgbench and a plain route', words: ['accept/accept.ts'] },
  { title: 'Accepting webhooks, compared with pushes', words: ['accept/webhooks.ts'] },
  { title: 'Parsing and aggregating JSON, compared with DuckDB', words: ['parsing/aggregate-json.ts'] },
  {
    title: 'Parsing and aggregating CSV, compared with parsers that only split it',
    words: ['parsing/aggregate-csv.ts'],
  },
  { title: 'Parts optimised for speed, compared with plain ones', words: ['parsing/hand-made.ts'] },
  {
    title: 'Cost and speed of a backup, compared with copying files',
    words: ['keeping/keeping.ts', '--gib', '2'],
  },
  { title: 'Disk space of deliveries', words: ['parsing/written-bytes.ts'] },
  { title: 'Disk space of small deliveries', words: ['parsing/written-bytes.ts', '20000'] },
  { title: 'Memory of a worker for the worst documents', words: ['parsing/worker-memory.ts'] },
  { title: 'From 202 to a readable sample, compared with a commit', words: ['samples/latency.ts'] },
  { title: 'Reading samples, compared with a bare route', words: ['samples/reads.ts'] },
  {
    title: 'Reading samples with a standby, compared with the primary alone',
    words: ['samples/standbys.ts'],
  },
  {
    title: 'Reading samples as an app, compared with a service connection',
    words: ['oauth/delegated-read.ts'],
  },
  { title: 'Exchanging refresh tokens, compared with oidc-provider', words: ['oauth/refresh.ts'] },
  { title: 'Cost of a delivery as its source grows', words: ['samples/growth.ts'] },
  {
    title: 'Filters of the developer page with a million deliveries',
    words: ['pages/deliveries-filters.ts'],
  },
  { title: 'The same filters in a browser', words: ['pages/deliveries-page.ts'] },
  { title: 'Reports in a browser', words: ['pages/reports.ts'] },
  {
    title: 'Calls through the clients and the tools for assistants, compared with bare ones',
    words: ['clients/calls.ts'],
  },
  { title: 'A large file through the clients, killed and pushed again', words: ['clients/large-file.ts'] },
  {
    title: 'Taking rows into the outbox of the client, compared with a synced file',
    words: ['clients/outbox.ts'],
  },
  {
    title: 'Open developer pages: server-sent events, compared with polling',
    words: ['pages/deliveries-live.ts'],
  },
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
  if (code !== 0) throw new Error(`${script} exited with ${code}`)
  return output.trimEnd()
}

const git = (...words: string[]): string => execFileSync('git', words, { encoding: 'utf8' }).trim()
const sections = []
const targets = ['| figure | reached | target |', '|---|---|---|']
for (const { title, words } of benchmarks) {
  process.stdout.write(`\n${title}\n`)
  const lines = (await runOne(words)).split('\n')
  // Rows of `printTarget`.
  targets.push(...lines.filter((line) => line.startsWith('| ')))
  const output = lines.filter((line) => !line.startsWith('| ')).join('\n')
  sections.push(`## ${title}\n\n\`node bench/${words.join(' ')}\`\n\n\`\`\`\n${output.trim()}\n\`\`\`\n`)
}
const gibibytes = Math.round(totalmem() / 2 ** 30)
const head = `# Results

Written by \`npm run bench\`. Quote the ratios: each compares a figure with a rival's from the same run.

- commit ${git('rev-parse', '--short', 'HEAD')}, ${new Date().toISOString().slice(0, 10)}
- ${cpus().length} cores of ${cpus()[0]?.model ?? 'an unknown kind'}, ${gibibytes} GiB; the load generator runs on the same cores
- Node ${process.versions.node}, the embedded PostgreSQL with its default, durable settings

## In short

${targets.join('\n')}
`
await writeFile(join(import.meta.dirname, 'RESULTS.md'), `${head}\n${sections.join('\n')}`)
