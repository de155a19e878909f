import { expect, test } from 'vitest'
import {
  second,
  hour,
  day,
  good,
  expectTooMany,
  getStatuses,
  times,
  startRegistrationScene,
} from '../../../testing/in-process/scenes/registration-scene.ts'

const { context, register } = await startRegistrationScene()

/** An address of a network of its own for each index. */
const toAddress = (index: number): string => `10.${index >> 8}.${index & 255}.1`

test('a network may register 10 apps, then one every 20 seconds', async () => {
  for (let host = 0; host < 10; host++) {
    expect((await register(good, `192.0.2.${host}`)).statusCode).toBe(201)
  }
  const refused = await register(good, '192.0.2.200')
  expectTooMany(refused, 20)
  expect(refused.headers['ratelimit-reset']).toBe('200')
  expect((await register(good, '192.0.3.1')).statusCode).toBe(201)
  context.clock.advance(20 * second)
  expect((await register(good, '192.0.2.201')).statusCode).toBe(201)
  expectTooMany(await register(good, '192.0.2.202'), 20)
})

test('the deployment accepts exactly 120 registrations an hour, from all networks together', async () => {
  for (let index = 0; index < 60; index++) await register(good, toAddress(index))
  context.clock.advance(10 * 60 * second)
  for (let index = 60; index < 119; index++) await register(good, toAddress(index))
  const last = await register('{', toAddress(119))
  expect(last.statusCode).toBe(400)
  expect(last.headers).toMatchObject({ 'ratelimit-limit': '120', 'ratelimit-remaining': '0' })
  const refused = await register(good, toAddress(120))
  expectTooMany(refused, 50 * 60)
  expect(refused.headers).toMatchObject({ 'ratelimit-limit': '120', 'ratelimit-reset': '3600' })
  context.clock.advance(50 * 60 * second - 1)
  expectTooMany(await register(good, toAddress(121)), 1)
  context.clock.advance(1)
  // The first 60 are older than an hour, and refused ones do not count.
  const statuses = await getStatuses(times(80, (index) => register(good, toAddress(200 + index))))
  expect(statuses.filter((status) => status === 201)).toHaveLength(60)
  expect(statuses.filter((status) => status === 429)).toHaveLength(20)
})

test('a clock that is set back locks no one out for longer than an hour', async () => {
  await Promise.all(times(120, (index) => register(good, toAddress(index))))
  for (const [round, back] of [hour, 365 * day].entries()) {
    context.clock.advance(-back)
    expectTooMany(await register(good, toAddress(1_000 * round + 300)), 3_600)
    context.clock.advance(hour - second)
    expectTooMany(await register(good, toAddress(1_000 * round + 301)), 1)
    context.clock.advance(second)
    const answers = await getStatuses(
      times(121, (index) => register(good, toAddress(1_000 * round + 400 + index))),
    )
    expect(answers).toEqual([...Array<number>(120).fill(201), 429])
  }
  context.clock.advance(366 * day)
})

test('registrations that are refused to an address or network do not count for the deployment', async () => {
  await Promise.all(times(100, () => register(good, '192.0.2.1')))
  await Promise.all(times(100, (index) => register(good, `198.51.100.${index}`)))
  const statuses = await getStatuses(times(110, (index) => register(good, toAddress(index))))
  // 3 of the address and 10 of the network were counted.
  expect(statuses.filter((status) => status === 201)).toHaveLength(107)
})
