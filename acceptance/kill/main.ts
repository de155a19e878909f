/** `npm run kill-test -- [rounds] [seed]`: the kill test at length; 27 rounds unless told. */
import { runKillTest } from './kill-test.ts'

const rounds = Number(process.argv[2] ?? 27)
const seed = Number(process.argv[3] ?? 20_260_105)
const report = await runKillTest({
  rounds,
  seed,
  say: (line) => void process.stdout.write(`${line}\n`),
})
process.stdout.write(`seed ${seed}: ${JSON.stringify(report)}\n`)
