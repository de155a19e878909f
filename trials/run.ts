/**
 * Runs the trials, one after another, and tells what was injected and what held.
 *
 *   npm run trials -- [names…] [--seed N] [--minutes M] [--short] [--write]
 *
 * All of them unless named. `--minutes` is the time of each; `--short` is the form that `npm run test:full` runs; `--write`
 * writes docs/trials.md. The whole takes about two hours and wants the machine for itself. Ends with 1 where something did not
 * hold.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { documentText, reportText } from './report.ts'
import { hasHeld, runTrial } from './trial.ts'
import { trials } from './trials.ts'

const say = (line: string): void => void process.stdout.write(`${line}\n`)

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
  say(`npm run trials -- [names…] [--seed N] [--minutes M] [--short] [--write]`)
  for (const { name, about } of trials) say(`  ${name.padEnd(18)} ${about}`)
  process.exit(2)
}

const reports = []
for (const trial of trials) {
  if (positionals.length > 0 && !positionals.includes(trial.name)) continue
  say(`${trial.name}, seed ${seed}`)
  const options = { seed, short: values.short, say, ...(minutes === undefined ? {} : { minutes }) }
  const report = await runTrial(trial, options)
  reports.push(report)
  say(`\n${reportText(report)}`)
}
if (values.write) await writeFile(join(import.meta.dirname, '../docs/trials.md'), documentText(reports))
// What a trial left behind, such as a call that waits for an answer, keeps nothing running.
process.exit(reports.every(hasHeld) ? 0 : 1)
