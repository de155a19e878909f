import { spawn } from 'node:child_process'
import type { Command } from 'commander'
import { openContext } from '../../src/app/open-context.ts'
import { requireFreePorts } from '../../src/app/require-free-ports.ts'
import { pauseAfterFaults, restartAfterFaults } from '../../src/app/restart-after-fault.ts'
import { startService, type RunningService } from '../../src/app/start-service.ts'
import { untilStopSignal } from '../../src/app/until-stop-signal.ts'
import { startWorkers } from '../../src/engine/parsing/worker/start-workers.ts'
import { addReferenceApp } from '../../src/oauth/register/add-reference-app.ts'
import { readConfig } from '../../src/platform/config/read-config.ts'
import { readPages } from '../../src/platform/web-app/web-app.ts'
import { openSourceSecrets } from '../clients/source-secrets.ts'
import { startGrowing } from '../clients/start-growing.ts'
import { writeCallLines } from './call-lines.ts'
import { isNewDemo, markDemoFolder, offerReset, requireDemoFolder } from './demo-folder.ts'
import { firstStepsText } from './first-steps-text.ts'
import { openDemo } from './open-demo.ts'
import { dropReset, resetDemo, restartWithReset, untilReset } from './reset-demo.ts'

interface DemoOptions {
  reset?: boolean
  yes?: boolean
  resetAt?: string
  port?: string
  open?: boolean
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** On a terminal one line that counts. */
function printProgress(created: number, days: number): void {
  if (process.stdout.isTTY)
    process.stdout.write(`\rCreating the demo's history: ${created} of ${days} days …`)
  else if (created === 1) printLine(`Creating the demo's history: ${days} days …`)
  if (created === days && process.stdout.isTTY) printLine('')
}

/** The program that opens an address in the user's browser. */
const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', linux: 'xdg-open' }

function openBrowser(url: string): void {
  const opener = openers[process.platform]
  const report = (): void => void process.stderr.write(`No browser could be opened. Open ${url} yourself.\n`)
  if (opener === undefined) return report()
  spawn(opener, [url], { stdio: 'ignore', detached: true }).on('error', report).unref()
}

/** Serves the demo until the process is to stop or the demo is to be reset. */
async function serveDemo(
  stopSignal: Promise<unknown>,
  environment: NodeJS.ProcessEnv,
  { open }: { open: boolean },
): Promise<'stopped' | 'reset'> {
  const pages = await readPages()
  const { config } = readConfig(environment)
  const isNew = await isNewDemo(config)
  await using opened = await openContext({ name: 'numera demo', environment }).catch((error: unknown) =>
    offerReset(error, config),
  )
  if (isNew) await markDemoFolder(config)
  const { context, openBackup } = opened
  if (!context.identity.demo)
    throw new Error('The demo runs with the demo identity only: NUMERA_IDENTITY=demo.')
  if (config.demoResetAt !== undefined) await requireDemoFolder(config)
  let service: RunningService | undefined
  restartAfterFaults(context.log, stopSignal, async () => (await service?.abandon()) ?? [])
  await pauseAfterFaults(context.log, stopSignal)
  const scene = await openDemo(context, { hasActions: true, onDay: printProgress })
  await addReferenceApp(context)
  await using stack = new AsyncDisposableStack()
  stack.use(await startWorkers(context))
  service = stack.use(
    await startService(context, {
      pages,
      // Nothing of a demo needs a backup.
      ...(config.backup === undefined ? {} : { openBackup }),
      prepare: (app) => writeCallLines(app, context, printLine),
    }),
  )
  const { url } = service
  const { baseUrl, demoCredential, dataFolder } = config
  const { clock, log } = context
  const secrets = openSourceSecrets(url, dataFolder, scene)
  const { sourceId, channel } = scene.sources.registers
  printLine(
    firstStepsText({
      url: baseUrl,
      credential: await secrets.readCredential('firstSteps'),
      timeZone: scene.companies.ekeby.timeZone,
      webhook: channel === 'webhook' && { sourceId, secret: await secrets.readSigningSecret('registers') },
      demoCredential,
      nowMs: clock.now(),
    }),
  )
  if (open) openBrowser(baseUrl)
  stack.use(startGrowing({ scene, url, secrets, dataFolder, clock, log }))
  // Awaited here: the service ends with this function.
  return await Promise.race([
    stopSignal.then((): 'stopped' => 'stopped'),
    untilReset(clock, config.demoResetAt),
  ])
}

/** A whole deployment with made-up companies and three years of their numbers [demo.deployment]. */
async function runDemo(options: DemoOptions): Promise<void> {
  const { reset = false, yes = false, open = false, resetAt, port } = options
  const stopSignal = untilStopSignal()
  let isStopping = false
  void stopSignal.then(() => (isStopping = true))
  const environment = {
    // On a terminal the address to open comes first.
    ...(process.stdout.isTTY ? { NUMERA_LOG_LEVEL: 'warn' } : {}),
    ...process.env,
    ...(resetAt === undefined ? {} : { NUMERA_DEMO_RESET_AT: resetAt }),
    ...(port === undefined ? {} : { NUMERA_HTTP_PORT: port }),
  }
  const setByOption = {
    ...(resetAt === undefined ? {} : { NUMERA_DEMO_RESET_AT: '--reset-at' }),
    ...(port === undefined ? {} : { NUMERA_HTTP_PORT: '--port' }),
  }
  const { config, secrets } = readConfig(environment, { setByOption })
  // Before a database or a folder is touched.
  await requireFreePorts(config, 'choose another one: npm start -- --port NUMBER')
  if (reset) await resetDemo(config, { yes })
  dropReset()
  const outcome = await serveDemo(stopSignal, environment, { open })
  if (outcome === 'reset' && !isStopping) restartWithReset()
  const place = secrets.databaseUrl === undefined ? config.dataFolder : 'your database'
  printLine(
    `\nStopped. The data stays in ${place}. "npm start" continues with it; "npm start -- --reset" starts over.`,
  )
}

export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('serve a demo deployment: made-up companies and three years of their numbers')
    .option('--reset', 'delete the demo and all its data first, and create it again; asks for confirmation')
    .option('--yes', 'with --reset: do not ask')
    .option('--port <number>', 'port to listen on (NUMERA_HTTP_PORT)')
    .option('--open', 'open the demo in the browser')
    .option('--reset-at <time>', 'reset the demo every night at this time of day, such as 03:00')
    .action(runDemo)
}
