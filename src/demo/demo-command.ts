import type { Command } from 'commander'
import { readPages } from '../http/web-app.ts'
import { startService, type RunningService } from '../service/start-service.ts'
import { openContext } from '../service/open-context.ts'
import { startWorkers } from '../parsing/worker/start-workers.ts'
import { pauseAfterFaults, restartAfterFaults } from '../service/restart-after-fault.ts'
import { untilToldToStop } from '../service/until-told-to-stop.ts'
import { firstStepsText } from './first-steps-text.ts'
import { makeDemo } from './make-demo.ts'
import { sourceCredential, sourceSigningSecret } from './source-credential.ts'

/** A whole deployment with made-up companies and more than a year of their numbers [demo.deployment]. */
async function runDemo(): Promise<void> {
  const told = untilToldToStop()
  const pages = await readPages()
  await using opened = await openContext({ name: 'numera demo' })
  const { context } = opened
  if (!context.identity.demo)
    throw new Error('The demo runs with the demo identity only: NUMERA_IDENTITY=demo.')
  let service: RunningService | undefined
  restartAfterFaults(context.log, told, async () => (await service?.abandon()) ?? [])
  await pauseAfterFaults(context.log, told)
  const scene = await makeDemo(context)
  const credential = await sourceCredential(context, scene, 'firstSteps')
  const { sourceId, deliveryWay } = scene.sources.registers
  const webhook = deliveryWay === 'webhook' && {
    sourceId,
    secret: await sourceSigningSecret(context, scene, 'registers'),
  }
  await using stack = new AsyncDisposableStack()
  stack.use(await startWorkers(context))
  service = stack.use(await startService(context, { pages }))
  const { baseUrl, demoCredential } = context.config
  process.stdout.write(
    firstStepsText({ url: baseUrl, credential, webhook, demoCredential, nowMs: context.clock.now() }),
  )
  await told
}

export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('serve a demo deployment: made-up companies and more than a year of their numbers')
    .action(runDemo)
}
