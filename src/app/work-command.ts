import type { Command } from 'commander'
import { createLog } from '../platform/telemetry/log.ts'
import { openContext } from './open-context.ts'
import { pauseAfterFaults, restartAfterFaults } from './restart-after-fault.ts'
import { untilStopSignal } from './until-stop-signal.ts'
import { startRecordingProcess } from './record-process.ts'
import { startRecoveringMoves } from '../engine/moves/start-recovering-moves.ts'
import { startWorkers } from '../engine/parsing/worker/start-workers.ts'

/** Parses what other processes accepted; any number may run. */
async function work(): Promise<void> {
  const stopSignal = untilStopSignal((text) => createLog({ level: 'fatal' }).fatal(text))
  await using opened = await openContext({ name: 'numera work', shared: true })
  const { context } = opened
  restartAfterFaults(context.log, stopSignal, async () => [])
  await pauseAfterFaults(context.log, stopSignal)
  await using stack = new AsyncDisposableStack()
  const { passed } = stack.use(await startRecordingProcess(context))
  stack.use(await startWorkers(context))
  stack.use(startRecoveringMoves(context))
  context.log.info('parsing')
  const leave = passed.then((reason) => {
    throw new Error(reason)
  })
  const signal = await Promise.race([stopSignal, leave])
  context.log.info({ signal }, 'stopping')
}

export function addWorkCommand(program: Command): void {
  program
    .command('work')
    .description('only parse deliveries, for services run with "serve --no-worker"')
    .action(work)
}
