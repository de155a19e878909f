import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, errorOf, ingest } from '../testing/process/call.ts'
import { testDemoHistory } from './demo-history.ts'
import { testDemoPeople } from './demo-people.ts'
import type { Receipt, Samples } from '../testing/process/numera-api.ts'
import { type Service, startService } from '../testing/process/start-service.ts'
import { testDev } from './dev.ts'

const run = promisify(execFile)
const demoCredential = 'nsk_demo_reads_fixture_samples'

/** From an empty folder to the first answer. The figure is printed; it is twenty seconds on two idle cores. */
const startMsMax = 110_000
/** All tests of the file together. */
const fileMsMax = 360_000

let service: Service
let startMs = 0
beforeAll(async () => {
  // What the demo has up to yesterday is of the day on which it was made: that is the day of all tests.
  const now = Temporal.Now.zonedDateTimeISO('Europe/Stockholm')
  const dayLeftMs = now.startOfDay().add({ days: 1 }).since(now).total('milliseconds')
  if (dayLeftMs < fileMsMax) await sleep(dayLeftMs)
  const startedMs = performance.now()
  // As its operator starts it, who sets no base address.
  service = await startService({ words: ['demo'], isDatabaseNew: true, environment: { NUMERA_BASE_URL: '' } })
  startMs = performance.now() - startedMs
  process.stdout.write(`The demo was made from nothing in ${(startMs / 1_000).toFixed(1)} s.\n`)
}, 150_000 + fileMsMax)
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

/** What the demo has printed since its last start, once it says how to stop it. */
const printed = async (): Promise<string> => {
  for (let attempt = 0; attempt < 500; attempt++) {
    const text = service.output()
    if (text.includes('Press Ctrl-C to stop')) return text
    await sleep(50)
  }
  throw new Error(`it printed no first steps: ${service.output()}`)
}

/** The commands among it, each as it would be pasted. */
const commandsOf = (text: string): string[] =>
  text
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('curl '))

const credentialOf = (command: string): string => /nsk_\w+/.exec(command)![0]

/** Where there is no such tool, a function that does as much of it as the commands use. */
const standIn = (tool: string): string =>
  `command -v ${tool} >/dev/null || ${tool}() { "${process.execPath}" "${import.meta.dirname}/${tool}-stand-in.ts" "$@"; }\n`

/** Runs a printed command in a shell. */
const paste = async (command: string) => {
  const shell = `${standIn('curl')}${standIn('openssl')}${command.replace('curl ', 'curl -s ')}`
  const { stdout } = await run('sh', ['-c', shell])
  return JSON.parse(stdout)
}

const readUntil = async (command: string, isThere: (samples: Samples) => boolean): Promise<Samples> => {
  for (let attempt = 0; attempt < 60; attempt++) {
    const samples = (await paste(command)) as Samples
    if (samples.samples !== undefined && isThere(samples)) return samples
    await sleep(100)
  }
  throw new Error(`nothing came of ${command}`)
}

testDemoHistory(() => service)
testDemoPeople(() => service)

test('The whole of it is made within the time that a start may take, and a second start makes nothing', async () => {
  expect(startMs).toBeLessThan(startMsMax)
  await printed()
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

test('The printed commands push and read when pasted, and do so again after a start on the same folder', async () => {
  const [push, read] = commandsOf(await printed())
  const receipt = (await paste(push!)) as Receipt
  expect(receipt).toMatchObject({ status: 'queued', shape_version: 1, dropped_keys: [], delivers: 'events' })
  const first = await readUntil(read!, ({ samples }) => samples.length > 0)
  expect(first.samples).toMatchObject([{ metric: 'revenue', value: '200', labels: { country: 'SE' } }])
  expect(await paste(push!)).toEqual(receipt)

  expect(await service.stop()).toBe(0)
  await service.start()
  const [pushAgain, readAgain] = commandsOf(await printed())
  expect(credentialOf(readAgain!)).toBe(credentialOf(read!))
  expect((await paste(readAgain!)) as Samples).toEqual(first)
  const second = (await paste(pushAgain!)) as Receipt
  expect(second.artifact_id).not.toBe(receipt.artifact_id)
  const both = await readUntil(readAgain!, ({ samples }) => samples.some(({ value }) => value !== '200'))
  expect(both.samples.map(({ value }) => value)).toEqual(['400'])
})

test('Every printed address is the base address, which is the issuer too', async () => {
  const base = `http://localhost:${new URL(service.url).port}`
  const addresses = [...(await printed()).matchAll(/https?:\/\/[^/\s']+/g)].map(([address]) => address)
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

test('The printed webhook is taken when pasted', async () => {
  const webhook = (await printed())
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .find((line) => line.startsWith('  t='))!
  const receipt = (await paste(webhook)) as Receipt
  expect(receipt).toMatchObject({ status: 'queued', sandbox: false, dropped_keys: [], delivers: 'events' })
  expect(await paste(webhook)).toEqual(receipt)
})

test('The published demo credential reads a year of a shop’s samples, and cannot push', async () => {
  const read = commandsOf(await printed()).at(-1)!
  expect(read).toContain(demoCredential)
  const week = await readUntil(read, (answer) => answer.samples.length > 0)
  expect(new Set(week.samples.map(({ period_start }) => period_start)).size).toBeGreaterThan(5)
  const year = await call(`${service.url}/v1/samples?metric=revenue`, { credential: demoCredential })
  const { samples, truncated } = year.body as Samples
  expect(truncated).toBe(false)
  expect(new Set(samples.map(({ metric, sandbox }) => `${metric} ${sandbox}`))).toEqual(
    new Set(['revenue false']),
  )
  const days = new Set(samples.map(({ period_start }) => period_start))
  expect(days.size).toBeGreaterThan(350)
  const push = await ingest(service.url, demoCredential, {
    idempotency_key: 'a',
    shape_version: 1,
    payload: [],
  })
  expect([push.status, push.body.code]).toEqual([403, 'permission_denied'])
})

test('The demo credential is let through from the reference, ten times a minute a network and five at once', async () => {
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

// Last: it ends the service.
testDev(() => service)
