import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { deliveriesBetween, type DemoDelivery } from '../data/day-deliveries.ts'
import { demoTimeZone, planDemo } from '../data/demo-plan.ts'
import type { DemoScene } from './demo-scene.ts'
import { createSender, type SendDelivery } from './send-delivery.ts'
import type { SourceSecrets } from './source-secrets.ts'

/** How often the demo's systems send what has happened since. Milliseconds. */
const growEveryMs = 3 * 60_000

/** How often a delivery that exceeds the rate is sent again, a second later each time. Then it is dropped. */
const growAttemptsMax = 60

export interface GrowingDemo {
  scene: DemoScene
  /** Where this process listens, without a slash at the end. */
  url: string
  secrets: SourceSecrets
  dataFolder: string
  clock: { now(): number }
  log: { warn(fields: object, message: string): void }
}

/** Resends within the rate. Other refusals are final: visitors may have paused a source or revoked a connection. */
async function sendWithinRate(
  send: SendDelivery,
  delivery: DemoDelivery,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; attempt <= growAttemptsMax; attempt++) {
    if ((await send(delivery)).status !== 429) return
    await sleep(1_000, undefined, { signal })
  }
}

/**
 * Sends what the demo's systems would have sent since it last ran, and every few minutes what has happened since, over
 * HTTP with their own credentials, until it is disposed of. The volume is that of the demo's history.
 */
export function startGrowing(demo: GrowingDemo, everyMs = growEveryMs): AsyncDisposable {
  const { scene, url, secrets, dataFolder, clock, log } = demo
  const stopping = new AbortController()
  const { signal } = stopping
  const plan = planDemo(scene.today, scene.seed)
  const send = createSender({
    url,
    clock,
    sources: scene.sources,
    readSecret: (name) =>
      name === 'registers' ? secrets.readSigningSecret(name) : secrets.readCredential(name),
  })
  /** Up to when the demo's systems have sent. */
  const file = join(dataFolder, 'demo.sent-until')
  const readSentUntil = async (): Promise<Temporal.Instant> => {
    try {
      return Temporal.Instant.from((await readFile(file, 'utf8')).trim())
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      // A new demo: its systems have sent everything up to today.
      return scene.today.toZonedDateTime(demoTimeZone).toInstant()
    }
  }
  const grow = async (): Promise<void> => {
    const from = await readSentUntil()
    const to = Temporal.Instant.fromEpochMilliseconds(clock.now())
    if (Temporal.Instant.compare(to, from) <= 0) return
    // Written first, so that nothing is sent twice: a process killed here leaves a few minutes out.
    await writeFile(file, `${to}\n`)
    for (const delivery of deliveriesBetween(plan, from, to)) await sendWithinRate(send, delivery, signal)
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
