/**
 * Runs the trials one after another, and reports the faults and the invariants.
 *
 *   npm run trials -- [names…] [--seed N] [--minutes M] [--short] [--write]
 *
 * Without names it runs all, which takes about two hours on an otherwise idle machine. `--minutes` is the duration of each;
 * `--short` is the form of `npm run test:full`; `--write` writes docs/trials.md. Exits with 1 if an invariant was broken.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { writeDocument, writeReport } from './report.ts'
import { hasPassed, runTrial } from './trial.ts'
import { trials } from './trials.ts'

const print = (line: string): void => void process.stdout.write(`${line}\n`)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '20260105' },
    minutes: { type: 'string' },
    short: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const unknown = positionals.filter((name) => !trials.some((trial) => trial.name === name))
const seed = Number(values.seed)
const minutes = values.minutes === undefined ? undefined : Number(values.minutes)
if (unknown.length > 0 || !Number.isSafeInteger(seed) || (minutes !== undefined && !(minutes >= 0))) {
  print(`npm run trials -- [names…] [--seed N] [--minutes M] [--short] [--write]`)
  for (const { name, about } of trials) print(`  ${name.padEnd(18)} ${about}`)
  process.exit(2)
}

const reports = []
for (const trial of trials) {
  if (positionals.length > 0 && !positionals.includes(trial.name)) continue
  print(`${trial.name}, seed ${seed}`)
  const options = { seed, short: values.short, log: print, ...(minutes === undefined ? {} : { minutes }) }
  const report = await runTrial(trial, options)
  reports.push(report)
  print(`\n${writeReport(report)}`)
}
if (values.write) await writeFile(join(import.meta.dirname, '../docs/trials.md'), writeDocument(reports))
// Leftovers of a trial, such as an unanswered call, must not keep the process running.
process.exit(reports.every(hasPassed) ? 0 : 1)
