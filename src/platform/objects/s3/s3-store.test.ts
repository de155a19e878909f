import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  startS3StandIn,
  type Misbehaviour,
  type S3StandIn,
} from '../../../../stand-ins/s3/start-s3-stand-in.ts'
import type { BackupCredentials } from '../../config/config.ts'
import { Secret } from '../../config/secret.ts'
import { S3Store } from './s3-store.ts'

const patience = { triesMax: 4, tryMs: 10_000, allTriesMs: 20_000, waitMs: 2, waitMsMax: 300 }
const content = Buffer.from('content')
const large = randomBytes(20 * 1_048_576)

let standIn: S3StandIn
let store: S3Store
const open = (
  changes: { endpoint?: string; bucket?: string; region?: string } = {},
  credentials: Partial<BackupCredentials> = {},
  patient: Partial<typeof patience> = {},
): S3Store => {
  const { endpoint, bucket, region } = standIn
  const settings = { kind: 's3', endpoint, bucket, prefix: 'numera', region, ...changes } as const
  const own = { ...standIn.credentials, sessionToken: undefined, ...credentials }
  return new S3Store(settings, new Secret(own), { ...patience, ...patient })
}
const callsDuring = async (act: () => Promise<unknown>): Promise<number> => {
  const before = standIn.calls.length
  await act()
  return standIn.calls.length - before
}
beforeAll(async () => {
  standIn = await startS3StandIn({ pageKeysMax: 2 })
})
beforeEach(() => {
  store = open()
})
afterEach(async () => {
  standIn.behave()
  standIn.objects.clear()
  await store[Symbol.asyncDispose]()
})
afterAll(() => standIn[Symbol.asyncDispose]())

describe('A request is repeated', () => {
  test.each<Misbehaviour['fault']>(['slow-down', 'cut', 'cut-after', 'cut-midway'])(
    'until the store answers (%s)',
    async (fault) => {
      standIn.misbehave({ fault, method: 'PUT', times: 3 })
      expect(await store.put('a', content)).toBe('stored')
      standIn.misbehave({ fault, method: 'GET', times: 3 })
      expect(await store.get('a')).toEqual(content)
      standIn.misbehave({ fault, method: 'GET', times: 3 })
      expect(await Array.fromAsync(store.list(''))).toHaveLength(1)
      standIn.misbehave({ fault: fault === 'cut-midway' ? 'cut' : fault, method: 'DELETE', times: 3 })
      await store.delete('a')
      expect(standIn.objects.size).toBe(0)
    },
  )

  test('no more often than allowed', async () => {
    standIn.misbehave({ fault: 'slow-down', times: 9 })
    const calls = await callsDuring(() =>
      expect(store.put('a', content)).rejects.toMatchObject({
        code: 'SlowDown',
        message: 'PUT s3://numera-trial/numera/a failed 4 times: SlowDown',
      }),
    )
    expect(calls).toBe(4)
  })

  test('no longer than allowed', async () => {
    await using hurried = open({}, {}, { allTriesMs: 100, waitMs: 80 })
    standIn.misbehave({ fault: 'cut', times: 9 })
    expect(await callsDuring(() => expect(hurried.get('a')).rejects.toThrow())).toBeLessThan(4)
  })

  test('after the time that the store asks for, within a bound', async () => {
    standIn.misbehave({ fault: 'slow-down', retryAfterSeconds: 3_600 })
    const beganMs = performance.now()
    expect(await store.put('a', content)).toBe('stored')
    expect(performance.now() - beganMs).toBeGreaterThanOrEqual(patience.waitMsMax - 1)
  })

  test('where a store does not answer in time', async () => {
    await using hurried = open({}, {}, { tryMs: 400 })
    standIn.misbehave({ fault: 'slow', delayMs: 5_000 })
    expect(await hurried.put('a', content)).toBe('stored')
    standIn.misbehave({ fault: 'slow', delayMs: 5_000, times: 9 })
    await expect(hurried.get('a')).rejects.toMatchObject({ code: 'NoAnswerInTime' })
  })

  test('and not where no later try helps', async () => {
    standIn.misbehave({ fault: 'full' })
    const calls = await callsDuring(() =>
      expect(store.put('a', content)).rejects.toMatchObject({ code: 'QuotaExceeded' }),
    )
    expect(calls).toBe(1)
  })
})

describe('An object that must be absent', () => {
  test.each([
    ['a small', content],
    ['a large', large],
  ])('is our own where only its answer was lost: %s one', async (_, content) => {
    standIn.misbehave({
      fault: 'cut-after',
      method: content === large ? 'POST' : 'PUT',
      path: /(?<!uploads=)$/,
    })
    expect(await store.put('a', content, { ifAbsent: true })).toBe('stored')
    expect(standIn.openUploads).toBe(0)
  })

  test('is not sent in parts if it is there', async () => {
    await store.put('a', content)
    expect(await callsDuring(() => store.put('a', large, { ifAbsent: true }))).toBe(1)
    expect(await store.get('a')).toEqual(content)
  })
})

describe('What came back', () => {
  test('is compared with its checksum', async () => {
    await store.put('a', content)
    await store.put('b', large)
    standIn.misbehave({ fault: 'altered', method: 'GET', times: 2 })
    await expect(store.get('a')).rejects.toMatchObject({ code: 'ContentMismatch' })
    await expect(store.get('b')).rejects.toMatchObject({ code: 'ContentMismatch' })
    expect((await store.get('b'))!.equals(large)).toBe(true)
  })

  test('is what the store has, which lies or returns old bytes: that shows only in the content', async () => {
    standIn.misbehave({ fault: 'lying', method: 'PUT' })
    expect(await store.put('a', content)).toBe('stored')
    expect(await store.get('a')).toBeUndefined()
    await store.put('a', Buffer.from('old'))
    await store.put('a', content)
    standIn.misbehave({ fault: 'old', method: 'GET' })
    expect(String(await store.get('a'))).toBe('old')
    expect(await store.get('a')).toEqual(content)
  })
})

test('Parts that are not completed are deleted', async () => {
  standIn.misbehave({ fault: 'full', path: /partNumber=2/ })
  await expect(store.put('a', large)).rejects.toMatchObject({ code: 'QuotaExceeded' })
  expect([standIn.openUploads, standIn.objects.size]).toEqual([0, 0])
})

test('Foreign objects of the bucket are not listed', async () => {
  for (const key of ['a', 'b', 'c', 'd']) await store.put(key, content)
  const object = standIn.objects.get('numera/a')!
  for (const key of ['a', 'numera.old/a', 'numera/ä & <b>', 'numera/b b']) standIn.objects.set(key, object)
  expect((await Array.fromAsync(store.list(''))).map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd'])
})

test('Credentials appear neither in errors nor in what is printed of a store', async () => {
  const { endpoint } = standIn
  const refused: [S3Store, string][] = [
    [open({}, { secretAccessKey: 'hunter2' }), 'SignatureDoesNotMatch'],
    [open({}, { accessKeyId: 'hunter2' }), 'InvalidAccessKeyId'],
    [open({}, { sessionToken: 'hunter2' }), 'InvalidToken'],
    [open({ region: 'us-east-1' }), 'AuthorizationHeaderMalformed'],
    [open({ bucket: 'elsewhere' }), 'NoSuchBucket'],
    [open({ endpoint: `${endpoint.replace(/\d+$/, '1')}` }), 'ECONNREFUSED'],
  ]
  for (const [store, code] of refused) {
    const errors = await Promise.all(
      [store.get('a'), store.put('a', content), store.delete('a'), Array.fromAsync(store.list(''))].map(
        (act) =>
          act.then(
            () => undefined,
            (error: unknown) => error,
          ),
      ),
    )
    for (const error of errors) expect(error).toMatchObject({ name: 'ObjectStoreError', code })
    const printed = inspect([errors, store], { depth: 9, showHidden: true })
    expect(printed).not.toMatch(/hunter2|AKID|secret\/of/)
    await store[Symbol.asyncDispose]()
  }
})

test('Closing a store ends what it waits for', async () => {
  standIn.misbehave({ fault: 'slow', delayMs: 5_000, times: 2, path: /slow/ })
  standIn.misbehave({ fault: 'slow-down', retryAfterSeconds: 9, path: /waiting/ })
  await using closing = open({}, {}, { waitMsMax: 30_000 })
  const acts = [closing.get('slow'), closing.put('slow', content), closing.get('waiting')]
  const ended = Promise.all(acts.map((act) => expect(act).rejects.toMatchObject({ code: 'Closed' })))
  await expect
    .poll(() => standIn.calls.slice(-3).join())
    .toMatch(/(?=.*waiting)(?=.*GET \S+slow)(?=.*PUT \S+slow)/)
  await closing[Symbol.asyncDispose]()
  await ended
})
