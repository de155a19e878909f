import type { Command } from 'commander'
import type { Logger } from 'pino'
import { readConfig } from '../platform/config/read-config.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { openContext } from './open-context.ts'
import { startRecordingProcess } from './record-process.ts'
import { requireFreePorts } from './require-free-ports.ts'
import { startWorkers } from '../engine/parsing/worker/start-workers.ts'
import { pauseAfterFaults, restartAfterFaults } from './restart-after-fault.ts'
import { untilStopSignal } from './until-stop-signal.ts'
import { readPages } from '../platform/web-app/web-app.ts'
import { startService, type RunningService } from './start-service.ts'

interface ServeOptions {
  worker: boolean
  testClock?: boolean
}

/** Once a contract has ended this process's release, which makes it unready, too. */
async function endParsing(passed: Promise<string>, workers: AsyncDisposable, log: Logger): Promise<void> {
  log.error({ reason: await passed }, 'parsing ends')
  await workers[Symbol.asyncDispose]()
}

/** Everything in one process: the API, the pages, and the parsing of what was delivered. */
async function serve({ worker, testClock = false }: ServeOptions): Promise<void> {
  const { config } = readConfig(process.env, { testClock })
  const { drainMs } = config.http
  const stopSignal = untilStopSignal((text) => createLog({ level: 'fatal' }).fatal(text), drainMs)
  await requireFreePorts(config)
  const pages = await readPages()
  await using opened = await openContext({ name: 'numera serve', testClock })
  const { context, openBackup } = opened
  let service: RunningService | undefined
  restartAfterFaults(context.log, stopSignal, async () => (await service?.abandon()) ?? [])
  await pauseAfterFaults(context.log, stopSignal)
  await using stack = new AsyncDisposableStack()
  const { passed } = stack.use(await startRecordingProcess(context))
  if (worker) {
    const workers = stack.use(await startWorkers(context))
    void endParsing(passed, workers, context.log)
  }
  service = stack.use(await startService(context, { pages, openBackup }))
  const { baseUrl, http } = context.config
  // The address that clients use: they compare it with the issuer.
  context.log.info({ url: baseUrl, host: http.host, port: http.port }, 'listening')
  const signal = await stopSignal
  context.log.info({ signal, drainMs }, 'stopping')
}

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('serve the API and the pages, and parse deliveries')
    .option('--no-worker', 'leave parsing to processes started with "work"')
    .option('--test-clock', 'let anyone move the clock with POST /test/clock (with the demo identity only)')
    .action(serve)
}
