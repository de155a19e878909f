import { call, requestToken } from '../../testing/process/call.ts'
import type { Service } from '../../testing/process/start-service.ts'
import type { Scene } from '../deployment/deployment.ts'
import type { Ledger } from '../deployment/ledger.ts'
import type { TrialContext } from '../trial.ts'
import { isStream, openStream } from './load.ts'

export const revokedEverywhere = 'a revoked credential fails on its next call to any process'
export const liveEverywhere = 'a live page hears of a delivery that another process accepted'
export const sharedRate = 'all processes together grant the burst of one bucket'

const eventMsMax = 10_000
/** Of the token endpoint, by default. */
const burst = 20
const perSecond = 1

const readWith = async (services: readonly Service[], credential: string): Promise<number[]> => {
  const answers = services.map(({ url }) => call(`${url}/v1/samples`, { credential }))
  return (await Promise.all(answers)).map(({ status }) => status)
}

/** Revokes a connection through the balancer, and calls each process before and after. */
export const checkRevocation = async (
  context: TrialContext,
  services: readonly Service[],
  { shop, accounts }: Scene,
): Promise<void> => {
  const { credential, connectionId } = await shop.connect({ source_id: accounts.push.sourceId })
  const before = await readWith(services, credential)
  const revoked = await shop.browser.post(`${shop.pages}/connections/${connectionId}/revoke`)
  const after = await readWith(services, credential)
  context.check(
    revokedEverywhere,
    before.every((status) => status === 200) && after.every((status) => status === 401),
    `${before.join()}, then ${revoked.status}, then ${after.join()}`,
  )
}

/** A page of one process, and a push to the next. */
export const checkLivePages = async (
  context: TrialContext,
  services: readonly Service[],
  scene: Scene,
  ledger: Ledger,
): Promise<void> => {
  for (const [index, { url }] of services.entries()) {
    const other = services[(index + 1) % services.length]!.url
    const stream = await openStream(url, scene)
    if (!isStream(stream)) {
      context.check(liveEverywhere, false, `the stream was refused: ${stream.status}`)
      continue
    }
    using _ = stream
    const entry = ledger.next({ channel: 'push', rows: 1 })
    const { status } = await ledger.send(entry, { url: other })
    const deadline = performance.now() + eventMsMax
    const isHeard = (): boolean => status === 202 && stream.text().includes(entry.artifacts[0]!)
    while (!isHeard() && performance.now() < deadline) await context.sleep(50)
    context.check(liveEverywhere, isHeard(), `${status}, ${stream.text().slice(-200)}`)
  }
}

/** Calls the processes in turn, more often than the bucket allows. */
export const checkRate = async (
  context: TrialContext,
  services: readonly Service[],
  { shop, accounts }: Scene,
): Promise<void> => {
  const { clientId, secret } = await shop.connect({
    source_id: accounts.push.sourceId,
    credential_kind: 'client',
  })
  const startedMs = performance.now()
  const statuses: number[] = []
  for (let count = 0; count < 2 * burst; count++) {
    const { url } = services[count % services.length]!
    statuses.push((await requestToken(url, clientId, secret)).status)
  }
  const seconds = (performance.now() - startedMs) / 1_000
  const granted = statuses.filter((status) => status === 200).length
  const refused = statuses.filter((status) => status === 429).length
  context.check(
    sharedRate,
    granted + refused === statuses.length && granted >= burst && granted <= burst + perSecond * seconds + 1,
    `${granted} granted, ${refused} refused of ${statuses.length} in ${seconds.toFixed(1)} s`,
  )
}
