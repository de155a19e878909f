import type { Command } from 'commander'
import { readPages } from '../http/web-app.ts'
import { addReferenceApp } from '../oauth/register/add-reference-app.ts'
import { startService, type RunningService } from '../service/start-service.ts'
import { openContext } from '../service/open-context.ts'
import { startWorkers } from '../parsing/worker/start-workers.ts'
import { pauseAfterFaults, restartAfterFaults } from '../service/restart-after-fault.ts'
import { untilToldToStop } from '../service/until-told-to-stop.ts'
import { addDemoCompanies } from './add-demo-companies.ts'
import { firstStepsText } from './first-steps-text.ts'
import { cashRegisters, firstSteps } from './demo-companies.ts'
import { sendDocuments } from './send-documents.ts'
import { sendFixtures } from './send-fixtures.ts'
import { untilParsed } from './sent-delivery.ts'
import { sourceCredential, sourceSigningSecret } from './source-credential.ts'

/** A whole deployment with made-up companies and a year of their numbers [demo.deployment]. */
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
  const sources = await addDemoCompanies(context)
  const credential = await sourceCredential(
    context,
    sources.find(({ demo }) => demo === firstSteps)!,
  )
  const register = sources.find(({ demo }) => demo === cashRegisters)!
  const webhook = register.source.deliveryWay === 'webhook' && {
    sourceId: register.source.sourceId,
    secret: await sourceSigningSecret(context, register),
  }
  await addReferenceApp(context)
  await using stack = new AsyncDisposableStack()
  stack.use(await startWorkers(context))
  service = stack.use(await startService(context, { pages }))
  const sent = [
    ...(await sendFixtures(context, sources)),
    ...(await sendDocuments(context, service.url, sources)),
  ]
  await untilParsed(context, sent)
  if (sent.length > 0) process.stdout.write(`${sent.length} made-up deliveries were sent and read.\n`)
  const { baseUrl, demoCredential } = context.config
  process.stdout.write(
    firstStepsText({ url: baseUrl, credential, webhook, demoCredential, nowMs: context.clock.now() }),
  )
  await told
}

export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('serve a demo deployment: two made-up companies and a year of their numbers')
    .action(runDemo)
}
