import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import { hasHeld, type TrialReport } from './trial.ts'

const rows = (head: string[], lines: (string | number)[][]): string =>
  [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, 300)

/** What was injected how often, what held, and what was measured, as Markdown. */
export const reportText = (report: TrialReport): string => {
  const { trial, seed, short, seconds, injected, held, telemetry, skipped } = report
  const repeat = `npm run trials -- ${trial.name} --seed ${seed}${short ? ' --short' : ''}`
  const head = `## ${trial.name}\n\n${trial.about}\n\n\`${repeat}\`, ${Math.round(seconds)} s`
  if (skipped !== undefined) return `${head}\n\nNot run: ${skipped}.\n`
  const verdict = ({ broken, held: count }: (typeof held)[number]): string =>
    broken === 0 ? `held, ${count} times` : `**broken**, ${broken} of ${broken + count} times`
  return [
    head,
    rows(['injected', 'times'], [...injected]),
    rows(
      ['what must hold', ''],
      held.map((each) => [each.invariant, verdict(each)]),
    ),
    ...(telemetry.size > 0 ? [rows(['measured', ''], [...telemetry])] : []),
    held
      .flatMap(({ invariant, examples }) => examples.map((example) => `- ${invariant}: ${oneLine(example)}`))
      .join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n')
}

const git = (...words: string[]): string => execFileSync('git', words, { encoding: 'utf8' }).trim()

/** docs/trials.md: every trial of a run, with the commit and the machine. */
export const documentText = (reports: TrialReport[]): string => {
  const run = reports.filter(({ skipped }) => skipped === undefined)
  const broken = run.filter((report) => !hasHeld(report)).map(({ trial }) => trial.name)
  const injected = run.flatMap((report) => [...report.injected.values()]).reduce((sum, each) => sum + each, 0)
  const verdict =
    broken.length === 0 ? 'everything held, nothing was lost' : `**not held:** ${broken.join(', ')}`
  const gibibytes = Math.round(totalmem() / 2 ** 30)
  return `# Trials

Written by \`npm run trials -- --write\`. Each trial starts a deployment of its own, does something bad to it, and checks
what must hold whatever happens.

- commit ${git('rev-parse', '--short', 'HEAD')}, ${new Date().toISOString().slice(0, 10)}
- ${cpus().length} cores of ${cpus()[0]?.model ?? 'an unknown kind'}, ${gibibytes} GiB; what sends runs on the same cores
- Node ${process.versions.node}, PostgreSQL 18
- ${injected} faults in ${run.length} trials; ${verdict}

A neighbour's p99 is held to twice its quiet p99, or to 100 ms where that is less: on two cores a document being parsed,
its statements and the sender itself leave no core free.

${reports.map(reportText).join('\n')}`
}
