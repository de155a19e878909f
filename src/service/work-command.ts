import type { Command } from 'commander'
import { createLog } from '../telemetry/log.ts'
import { openContext } from './open-context.ts'
import { pauseAfterFaults, restartAfterFaults } from './restart-after-fault.ts'
import { untilToldToStop } from './until-told-to-stop.ts'
import { startWorkers } from '../parsing/worker/start-workers.ts'

/** Parses what other processes accepted; any number may run. */
async function work(): Promise<void> {
  const told = untilToldToStop((text) => createLog({ level: 'fatal' }).fatal(text))
  await using opened = await openContext({ name: 'numera work', shared: true })
  const { context } = opened
  restartAfterFaults(context.log, told, async () => [])
  await pauseAfterFaults(context.log, told)
  await using stack = new AsyncDisposableStack()
  stack.use(await startWorkers(context))
  context.log.info('parsing')
  const signal = await told
  context.log.info({ signal }, 'stopping')
}

export function addWorkCommand(program: Command): void {
  program.command('work').description('only parse what is delivered, beside "serve --no-worker"').action(work)
}
