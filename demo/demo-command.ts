import type { Command } from 'commander'
import { readConfig } from '../src/platform/config/read-config.ts'
import { readPages } from '../src/platform/web-app/web-app.ts'
import { addReferenceApp } from '../src/oauth/register/add-reference-app.ts'
import { startService, type RunningService } from '../src/app/start-service.ts'
import { requireFreePorts } from '../src/app/require-free-ports.ts'
import { openContext } from '../src/app/open-context.ts'
import { startWorkers } from '../src/engine/parsing/worker/start-workers.ts'
import { pauseAfterFaults, restartAfterFaults } from '../src/app/restart-after-fault.ts'
import { untilStopSignal } from '../src/app/until-stop-signal.ts'
import { isNewDemo, markDemoFolder, requireDemoFolder } from './demo-folder.ts'
import { demoActs } from './demo-acts.ts'
import { writeCallLines } from './call-lines.ts'
import { firstStepsText } from './first-steps-text.ts'
import { makeDemo } from './make-demo.ts'
import { openBrowser } from './open-browser.ts'
import { dropReset, resetDemo, startAnewWithReset, untilReset } from './reset-demo.ts'
import { sourceCredential, sourceSigningSecret } from './source-credential.ts'
import { startGrowing } from './start-growing.ts'

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

/** How far the making of the demo's past is; on a terminal in one line that counts. */
function printProgress(made: number, days: number): void {
  if (process.stdout.isTTY) process.stdout.write(`\rMaking the demo's past: ${made} of ${days} days …`)
  else if (made === 1) printLine(`Making the demo's past: ${days} days …`)
  if (made === days && process.stdout.isTTY) printLine('')
}

/** Serves the demo until it is told to stop, or until it is to be made anew. */
async function serveDemo(
  told: Promise<unknown>,
  environment: NodeJS.ProcessEnv,
  { open }: { open: boolean },
): Promise<'stopped' | 'reset'> {
  const pages = await readPages()
  const { config } = readConfig(environment)
  const isNew = await isNewDemo(config)
  await using opened = await openContext({ name: 'numera demo', environment })
  if (isNew) await markDemoFolder(config)
  const { context } = opened
  if (!context.identity.demo)
    throw new Error('The demo runs with the demo identity only: NUMERA_IDENTITY=demo.')
  if (config.demoResetAt !== undefined) await requireDemoFolder(config)
  let service: RunningService | undefined
  restartAfterFaults(context.log, told, async () => (await service?.abandon()) ?? [])
  await pauseAfterFaults(context.log, told)
  const scene = await makeDemo(context, { acts: demoActs, onDay: printProgress })
  const credential = await sourceCredential(context, scene, 'firstSteps')
  const { sourceId, channel } = scene.sources.registers
  const webhook = channel === 'webhook' && {
    sourceId,
    secret: await sourceSigningSecret(context, scene, 'registers'),
  }
  await addReferenceApp(context)
  await using stack = new AsyncDisposableStack()
  stack.use(await startWorkers(context))
  service = stack.use(
    await startService(context, { pages, prepare: (app) => writeCallLines(app, context, printLine) }),
  )
  const { baseUrl, demoCredential } = config
  const { timeZone } = scene.companies.ekeby
  const nowMs = context.clock.now()
  printLine(firstStepsText({ url: baseUrl, credential, timeZone, webhook, demoCredential, nowMs }))
  if (open) openBrowser(baseUrl)
  stack.use(startGrowing(context, scene, service.url))
  // Awaited here, since what is used ends with this function.
  return await Promise.race([
    told.then((): 'stopped' => 'stopped'),
    untilReset(context.clock, config.demoResetAt),
  ])
}

/** A whole deployment with made-up companies and more than a year of their numbers [demo.deployment]. */
async function runDemo(options: DemoOptions): Promise<void> {
  const { reset = false, yes = false, open = false, resetAt, port } = options
  const told = untilStopSignal()
  let isTold = false
  void told.then(() => (isTold = true))
  const environment = {
    // On a terminal the first thing to read is what to open.
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
  const outcome = await serveDemo(told, environment, { open })
  if (outcome === 'reset' && !isTold) startAnewWithReset()
  const kept = secrets.databaseUrl === undefined ? config.dataFolder : 'your database'
  printLine(
    `\nStopped. The data stays in ${kept}: "npm start" goes on with it, "npm start -- --reset" begins anew.`,
  )
}

export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('serve a demo deployment: made-up companies and more than a year of their numbers')
    .option('--reset', 'remove the demo with all that is in it first, and make it anew; asks')
    .option('--yes', 'with --reset: do not ask')
    .option('--port <number>', 'listen there (NUMERA_HTTP_PORT)')
    .option('--open', 'open it in the browser')
    .option('--reset-at <time>', 'make it anew each night at this time of day, such as 03:00')
    .action(runDemo)
}
