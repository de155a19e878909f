import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import { hasPassed, type InvariantResult, type TrialReport } from './trial.ts'

const rows = (head: string[], lines: (string | number)[][]): string =>
  [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const toOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, 300)

const toVerdict = ({ broken, passed }: InvariantResult): string =>
  broken === 0 ? `${passed} times` : `**broken**, ${broken} of ${broken + passed} times`

/** Faults, invariants and measurements as Markdown. */
export const writeReport = (report: TrialReport): string => {
  const { trial, seed, short, seconds, injected, invariants, telemetry, skipped } = report
  const repeat = `npm run trials -- ${trial.name} --seed ${seed}${short ? ' --short' : ''}`
  const head = `## ${trial.name}\n\n${trial.about}\n\n\`${repeat}\`, ${Math.round(seconds)} s`
  if (skipped !== undefined) return `${head}\n\nNot run: ${skipped}.\n`
  return [
    head,
    rows(['fault', 'times'], [...injected]),
    rows(
      ['invariant', 'checked'],
      invariants.map((each) => [each.invariant, toVerdict(each)]),
    ),
    ...(telemetry.size > 0 ? [rows(['measured', ''], [...telemetry])] : []),
    invariants
      .flatMap(({ invariant, examples }) =>
        examples.map((example) => `- ${invariant}: ${toOneLine(example)}`),
      )
      .join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n')
}

const git = (...words: string[]): string => execFileSync('git', words, { encoding: 'utf8' }).trim()

/** docs/trials.md: the reports of a run, with the commit and the machine. */
export const writeDocument = (reports: TrialReport[]): string => {
  const run = reports.filter(({ skipped }) => skipped === undefined)
  const broken = run.filter((report) => !hasPassed(report)).map(({ trial }) => trial.name)
  const injected = run.flatMap((report) => [...report.injected.values()]).reduce((sum, each) => sum + each, 0)
  const verdict =
    broken.length === 0 ? 'no invariant was broken, nothing was lost' : `**broken:** ${broken.join(', ')}`
  const gibibytes = Math.round(totalmem() / 2 ** 30)
  return `# Trials

Written by \`npm run trials -- --write\`. Each trial starts its own deployment, injects faults, and checks its invariants.

- commit ${git('rev-parse', '--short', 'HEAD')}, ${new Date().toISOString().slice(0, 10)}
- ${cpus().length} cores of ${cpus()[0]?.model ?? 'an unknown kind'}, ${gibibytes} GiB; the clients run on the same cores
- Node ${process.versions.node}, PostgreSQL 18
- ${injected} faults in ${run.length} trials; ${verdict}

A neighbour's p99 may be up to twice its p99 without faults, or 100 ms if that is more: on two cores the parsing of one
document, its statements and the sender leave no core free.

${reports.map(writeReport).join('\n')}`
}
