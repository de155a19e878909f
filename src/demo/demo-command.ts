import type { Command } from 'commander'
import { readConfig } from '../config/read-config.ts'
import { readPages } from '../http/web-app.ts'
import { addReferenceApp } from '../oauth/register/add-reference-app.ts'
import { startService, type RunningService } from '../service/start-service.ts'
import { openContext } from '../service/open-context.ts'
import { startWorkers } from '../parsing/worker/start-workers.ts'
import { pauseAfterFaults, restartAfterFaults } from '../service/restart-after-fault.ts'
import { untilToldToStop } from '../service/until-told-to-stop.ts'
import { isNewDemo, markDemoFolder, requireDemoFolder } from './demo-folder.ts'
import { demoActs } from './demo-acts.ts'
import { firstStepsText } from './first-steps-text.ts'
import { makeDemo } from './make-demo.ts'
import { dropReset, resetDemo, startAnewWithReset, untilReset } from './reset-demo.ts'
import { sourceCredential, sourceSigningSecret } from './source-credential.ts'
import { startGrowing } from './start-growing.ts'

interface DemoOptions {
  reset?: boolean
  yes?: boolean
  resetAt?: string
}

/** Serves the demo until it is told to stop, or until it is to be made anew. */
async function serveDemo(
  told: Promise<unknown>,
  environment: NodeJS.ProcessEnv,
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
  const scene = await makeDemo(context, { acts: demoActs })
  const credential = await sourceCredential(context, scene, 'firstSteps')
  const { sourceId, deliveryWay } = scene.sources.registers
  const webhook = deliveryWay === 'webhook' && {
    sourceId,
    secret: await sourceSigningSecret(context, scene, 'registers'),
  }
  await addReferenceApp(context)
  await using stack = new AsyncDisposableStack()
  stack.use(await startWorkers(context))
  service = stack.use(await startService(context, { pages }))
  stack.use(startGrowing(context, scene, service.url))
  const { baseUrl, demoCredential } = config
  process.stdout.write(
    firstStepsText({ url: baseUrl, credential, webhook, demoCredential, nowMs: context.clock.now() }),
  )
  // Awaited here, since what is used ends with this function.
  return await Promise.race([
    told.then((): 'stopped' => 'stopped'),
    untilReset(context.clock, config.demoResetAt),
  ])
}

/** A whole deployment with made-up companies and more than a year of their numbers [demo.deployment]. */
async function runDemo({ reset = false, yes = false, resetAt }: DemoOptions): Promise<void> {
  const told = untilToldToStop()
  let isTold = false
  void told.then(() => (isTold = true))
  const environment = {
    ...process.env,
    ...(resetAt === undefined ? {} : { NUMERA_DEMO_RESET_AT: resetAt }),
  }
  if (reset) await resetDemo(readConfig(environment).config, { yes })
  dropReset()
  const outcome = await serveDemo(told, environment)
  if (outcome === 'reset' && !isTold) startAnewWithReset()
}

export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('serve a demo deployment: made-up companies and more than a year of their numbers')
    .option('--reset', 'remove the demo with all that is in it first, and make it anew; asks')
    .option('--yes', 'with --reset: do not ask')
    .option('--reset-at <time>', 'make it anew each night at this time of day, such as 03:00')
    .action(runDemo)
}
