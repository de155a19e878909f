import { expect, test } from 'vitest'
import type { ForcedAnswer } from '../../../../stand-ins/openid-provider/start-openid-provider.ts'
import { providerMetadataKeptMs, providerMetadataMs, providerPauseMs } from './find-provider.ts'
import {
  begin,
  collect,
  countCalls,
  startOpenIdConnectScene,
} from '../../../../testing/in-process/scenes/openid-connect-scene.ts'

const { provider, deploy, getLog, signIn } = await startOpenIdConnectScene()

/** How often the log says that the metadata could not be read. */
const countFailedReads = (): number =>
  getLog().split('the OpenID Connect provider does not give its metadata').length - 1

test('a provider that takes too long is unavailable', async () => {
  provider.answerNextWith({ path: '/token', delayMs: 20_000 })
  expect((await signIn()).progress).toEqual({ state: 'failed', reason: 'unavailable' })
})

test('a provider that was unavailable at the start is called again after a pause', async () => {
  const { app, context } = await deploy()
  const countMetadataCalls = () => countCalls(provider, '/.well-known')
  const before = countMetadataCalls()
  provider.answerNextWith({ path: '/.well-known/openid-configuration', hangUp: true, times: 100 })
  const unavailable = await begin(app)
  expect(unavailable.openUrl).toBeUndefined()
  expect(await collect(unavailable)).toEqual({ state: 'failed', reason: 'unavailable' })
  provider.answerAsUsual()
  expect(await collect(await begin(app))).toEqual({ state: 'failed', reason: 'unavailable' })
  expect(countMetadataCalls()).toBe(before + 1)
  context.clock.advance(providerPauseMs)
  expect((await signIn(app)).progress.state).toBe('complete')
  expect((await signIn(app)).progress.state).toBe('complete')
  expect(countMetadataCalls()).toBe(before + 2)
})

test('the metadata of an unavailable provider is used for a day, and no one waits while it is refreshed', async () => {
  const { app, context } = await deploy()
  const countMetadataCalls = () => countCalls(provider, '/.well-known')
  expect((await signIn(app)).progress.state).toBe('complete')
  const [before, failedBefore] = [countMetadataCalls(), countFailedReads()]
  const begunAtMs = context.clock.now()
  context.clock.advance(providerMetadataMs - 1)
  expect((await begin(app)).openUrl).toBeDefined()
  expect(countMetadataCalls()).toBe(before)

  context.clock.advance(1)
  const gate = Promise.withResolvers<void>()
  provider.answerNextWith({
    path: '/.well-known/openid-configuration',
    until: gate.promise,
    hangUp: true,
    times: 100,
  })
  const iat = Math.floor(context.clock.now() / 1_000)
  try {
    provider.spoilNextIdToken({ claims: { iat, exp: iat + 60, auth_time: iat } })
    expect((await signIn(app)).progress.state).toBe('complete')
    expect((await begin(app)).openUrl).toBeDefined()
  } finally {
    gate.resolve()
  }
  await expect.poll(() => countMetadataCalls()).toBe(before + 1)
  await expect.poll(() => countFailedReads()).toBe(failedBefore + 1)
  context.clock.set(begunAtMs + providerMetadataKeptMs - 1)
  expect((await begin(app)).openUrl).toBeDefined()
  await expect.poll(() => countFailedReads()).toBe(failedBefore + 2)
  expect(countMetadataCalls()).toBe(before + 2)

  context.clock.advance(providerPauseMs)
  const unavailable = await begin(app)
  expect(unavailable.openUrl).toBeUndefined()
  expect(await collect(unavailable)).toEqual({ state: 'failed', reason: 'unavailable' })
})

test('metadata that was refreshed in the background is used for an hour', async () => {
  const { app, context } = await deploy()
  const countMetadataCalls = () => countCalls(provider, '/.well-known')
  await begin(app)
  const before = countMetadataCalls()
  context.clock.advance(providerMetadataMs)
  // Sign-ins that begin during a read share it.
  const gate = Promise.withResolvers<void>()
  provider.answerNextWith({ path: '/.well-known/openid-configuration', until: gate.promise })
  await Promise.all([begin(app), begin(app)])
  gate.resolve()
  await expect.poll(() => countMetadataCalls()).toBe(before + 1)
  // Once it has been read, a sign-in makes no call.
  await expect
    .poll(async () => {
      const calls = countMetadataCalls()
      await begin(app)
      return countMetadataCalls() - calls
    })
    .toBe(0)
  context.clock.advance(providerMetadataMs - 1)
  await begin(app)
  expect(countMetadataCalls()).toBe(before + 1)
})

test.each<[string, Omit<ForcedAnswer, 'path'>]>([
  ['another issuer', { body: { issuer: 'https://evil.example' } }],
  ['nothing', { body: {} }],
  ['no JSON', { body: '<html>' }],
  ['500', { status: 500 }],
])('a provider whose metadata is %s is unavailable', async (_what, answer) => {
  const { app } = await deploy()
  provider.answerNextWith({ path: '/.well-known/openid-configuration', ...answer })
  expect(await collect(await begin(app))).toEqual({ state: 'failed', reason: 'unavailable' })
})

test('a provider whose keys cannot be read is unavailable', async () => {
  const { app } = await deploy()
  provider.answerNextWith({ path: '/jwks', status: 503 })
  expect((await signIn(app)).progress).toEqual({ state: 'failed', reason: 'unavailable' })
  expect((await signIn(app)).progress.state).toBe('complete')
})
