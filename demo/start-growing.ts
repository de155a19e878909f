import type { AppContext } from '../src/app/app-context.ts'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { deliveriesBetween, type DemoDelivery } from './day-deliveries.ts'
import { demoTimeZone, planDemo } from './demo-plan.ts'
import type { DemoScene } from './demo-scene.ts'
import { createSender, type SendDelivery } from './send-delivery.ts'
import { sourceCredential, sourceSigningSecret } from './source-credential.ts'

/** How often the demo's systems send what happened meanwhile. Milliseconds. */
export const growEveryMs = 3 * 60_000

/** How often a delivery that comes too soon after others is sent again, a second later each time. Then it is left out. */
export const growAttemptsMax = 60

/** Until when the demo's systems have sent what happened. */
function toFile({ config }: Pick<AppContext, 'config'>): string {
  return join(config.dataFolder, 'demo.sent-until')
}

/** Where nothing says it, the demo is new: its systems have sent all but what today brings. */
async function sentUntil(context: AppContext, { today }: DemoScene): Promise<Temporal.Instant> {
  try {
    return Temporal.Instant.from((await readFile(toFile(context), 'utf8')).trim())
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return today.toZonedDateTime(demoTimeZone).toInstant()
  }
}

/** What somebody has changed in the demo (a source paused, a connection revoked) stays that way: a refusal is no fault. */
async function sendInTime(send: SendDelivery, delivery: DemoDelivery, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; attempt <= growAttemptsMax; attempt++) {
    if ((await send(delivery)).status !== 429) return
    await sleep(1_000, undefined, { signal })
  }
}

/**
 * Sends what the demo's systems would have sent since it last ran, and every few minutes what happened meanwhile, over
 * HTTP and with their own credentials, until it is disposed of. It is as much as the demo's days bring, so that the
 * figures go on as they were made.
 *
 * @param url where this process listens, without a slash at the end
 */
export function startGrowing(
  context: AppContext,
  scene: DemoScene,
  url: string,
  everyMs = growEveryMs,
): AsyncDisposable {
  const { clock, log } = context
  const stopping = new AbortController()
  const { signal } = stopping
  const plan = planDemo(scene.today, scene.seed)
  const send = createSender({
    url,
    clock,
    sources: scene.sources,
    secretOf: (name) =>
      name === 'registers'
        ? sourceSigningSecret(context, scene, name)
        : sourceCredential(context, scene, name),
  })
  const grow = async (): Promise<void> => {
    const from = await sentUntil(context, scene)
    const to = Temporal.Instant.fromEpochMilliseconds(clock.now())
    if (Temporal.Instant.compare(to, from) <= 0) return
    // First, so that nothing is sent twice: a process that is killed here leaves a few minutes out.
    await writeFile(toFile(context), `${to}\n`)
    for (const delivery of deliveriesBetween(plan, from, to)) await sendInTime(send, delivery, signal)
  }
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await grow().catch((err: unknown) => {
        if (!signal.aborted) log.warn({ err }, 'the demo could not grow')
      })
      await sleep(everyMs, undefined, { signal }).catch(() => {})
    }
  }
  const running = run()
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      await running
    },
  }
}
