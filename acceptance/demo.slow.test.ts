import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, errorOf, ingest } from '../testing/process/call.ts'
import { findCommands, findWebhook, paste, readPrinted, readUntil } from './demo-commands.ts'
import { testDemoHistory } from './demo-history.ts'
import { testDemoPeople } from './demo-people.ts'
import type { Receipt, Samples } from '../testing/process/numera-api.ts'
import { type Service, startService } from '../testing/process/start-service.ts'
import { testDev } from './dev.ts'

const demoCredential = 'nsk_demo_reads_fixture_samples'

/** From an empty folder to the first answer. The time is printed; it is thirty seconds on two idle cores. */
const startMsMax = 110_000
/** All tests of the file together. */
const fileMsMax = 360_000

let service: Service
let startMs = 0
beforeAll(async () => {
  // The demo's data is relative to the day of its creation, so all tests must run on that day.
  const now = Temporal.Now.zonedDateTimeISO('Europe/Stockholm')
  const dayLeftMs = now.startOfDay().add({ days: 1 }).since(now).total('milliseconds')
  if (dayLeftMs < fileMsMax) await sleep(dayLeftMs)
  const startedMs = performance.now()
  // Operators start it without a base address.
  service = await startService({ words: ['demo'], isDatabaseNew: true, environment: { NUMERA_BASE_URL: '' } })
  startMs = performance.now() - startedMs
  process.stdout.write(`The demo was created in ${(startMs / 1_000).toFixed(1)} s.\n`)
}, 150_000 + fileMsMax)
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

testDemoHistory(() => service)
testDemoPeople(() => service)

test('The demo is created within the time of a start, and a second start creates nothing', async () => {
  expect(startMs).toBeLessThan(startMsMax)
  await readPrinted(service)
  const today = Temporal.Now.plainDateISO('Europe/Stockholm')
  const address = `${service.url}/v1/samples?metric=revenue&to=${today}`
  const read = async () => (await call(address, { credential: demoCredential })).body
  const before = await read()
  expect(await service.stop()).toBe(0)
  const startedMs = performance.now()
  await service.start()
  expect(performance.now() - startedMs).toBeLessThan(Math.max(5_000, startMs / 2))
  expect(await read()).toEqual(before)
})

test('Every printed address begins with the base address, which is the issuer too', async () => {
  const base = `http://localhost:${new URL(service.url).port}`
  const addresses = [...(await readPrinted(service)).matchAll(/https?:\/\/[^/\s']+/g)].map(
    ([address]) => address,
  )
  expect(addresses.length).toBeGreaterThan(5)
  expect(new Set(addresses)).toEqual(new Set([base]))
  const metadata = await call(`${base}/.well-known/oauth-authorization-server`)
  expect(metadata.body).toMatchObject({ issuer: base, token_endpoint: `${base}/oauth/token` })
  const challenge = (await call(`${base}/v1/samples`)).headers.get('www-authenticate')
  expect(challenge).toBe(`Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/v1/samples"`)
  const resource = await call(`${base}/.well-known/oauth-protected-resource/v1/samples`)
  expect(resource.body).toMatchObject({ resource: `${base}/v1/samples`, authorization_servers: [base] })
  expect((await call(`${base}/openapi.json`)).body).toMatchObject({ servers: [{ url: base }] })
})

const findCredential = (command: string): string => /nsk_\w+/.exec(command)![0]

test('The printed commands push and read when pasted, before and after a restart', async () => {
  const [push, read] = findCommands(await readPrinted(service))
  const receipt = (await paste(push!)) as Receipt
  expect(receipt).toMatchObject({ status: 'queued', shape_version: 1, dropped_keys: [], delivers: 'events' })
  const first = await readUntil(read!, ({ samples }) => samples.length > 0)
  expect(first.samples).toMatchObject([{ metric: 'revenue', value: '200', labels: { country: 'SE' } }])
  expect(await paste(push!)).toEqual(receipt)

  expect(await service.stop()).toBe(0)
  await service.start()
  const [pushAgain, readAgain] = findCommands(await readPrinted(service))
  expect(findCredential(readAgain!)).toBe(findCredential(read!))
  expect((await paste(readAgain!)) as Samples).toEqual(first)
  const second = (await paste(pushAgain!)) as Receipt
  expect(second.artifact_id).not.toBe(receipt.artifact_id)
  const both = await readUntil(readAgain!, ({ samples }) => samples.some(({ value }) => value !== '200'))
  expect(both.samples.map(({ value }) => value)).toEqual(['400'])
})

test('The printed webhook is accepted when pasted', async () => {
  const webhook = findWebhook(await readPrinted(service))
  const receipt = (await paste(webhook)) as Receipt
  expect(receipt).toMatchObject({ status: 'queued', sandbox: false, dropped_keys: [], delivers: 'events' })
  expect(await paste(webhook)).toEqual(receipt)
})

test('The published demo credential reads two years of a shop’s samples, and cannot push', async () => {
  const read = findCommands(await readPrinted(service)).at(-1)!
  expect(read).toContain(demoCredential)
  const week = await readUntil(read, (answer) => answer.samples.length > 0)
  expect(new Set(week.samples.map(({ period_start }) => period_start)).size).toBeGreaterThan(5)
  const years = await call(`${service.url}/v1/samples?metric=revenue`, { credential: demoCredential })
  const { samples, truncated } = years.body as Samples
  expect(truncated).toBe(false)
  expect(new Set(samples.map(({ metric, sandbox }) => `${metric} ${sandbox}`))).toEqual(
    new Set(['revenue false']),
  )
  const days = new Set(samples.map(({ period_start }) => period_start))
  expect(days.size).toBeGreaterThan(700)
  const push = await ingest(service.url, demoCredential, {
    idempotency_key: 'a',
    shape_version: 1,
    payload: [],
  })
  expect([push.status, push.body.code]).toEqual([403, 'permission_denied'])
})

test('The demo credential works from the reference, ten times a minute for each network, with a burst of five', async () => {
  const startedMs = performance.now()
  const answers = await Promise.all(
    Array.from({ length: 12 }, () =>
      call(`${service.url}/v1/samples?from=2026-01-01`, {
        credential: demoCredential,
        headers: { 'x-numera-reference': '1' },
      }),
    ),
  )
  const givenBack = Math.floor((performance.now() - startedMs) / 6_000)
  const late = answers.find(({ status }) => status === 429)!
  expect(errorOf(late)).toEqual({ status: 429, code: 'rate_limited' })
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(Number(late.headers.get('retry-after'))).toBeLessThanOrEqual(6)
  expect(late.headers.get('ratelimit-limit')).toBe('10')
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(5 + givenBack)
})

test('A lost or empty secret of a source is replaced at the next start', async () => {
  expect(await service.stop()).toBe(0)
  await rm(join(service.dataFolder, 'first-steps.credential'))
  await writeFile(join(service.dataFolder, 'registers.secret'), '')
  await service.start()
  const printed = await readPrinted(service)
  for (const command of [findCommands(printed)[0]!, findWebhook(printed)])
    expect(await paste(command)).toMatchObject({ status: 'queued' })
})

// Last: it ends the service.
testDev(() => service)
