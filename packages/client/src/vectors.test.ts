import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Decimal, exactNumberText } from './decimal.ts'
import { openParts } from './document-parts.ts'
import { openDocument } from './files.ts'
import { findKeyFault, findUnsafeKey, InvalidKey, keyFor, type KeyPart, partKey } from './key.ts'
import { BrokenFile } from './records.ts'
import { callBackoff, nextStep, readRetryAfter, webhookBackoff } from './retry.ts'
import { signDelivery, verifyDelivery } from './sign.ts'
import { afterUnauthenticated, renewAtMs } from './token.ts'

/*
 * packages/vectors: inputs and outputs that every client shares.
 */

// oxlint-disable-next-line typescript/no-explicit-any -- the files are read as they are
const readJson = (path: string): any =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../..', path), 'utf8'))
const [decimals, keys, retries, signatures, splits] = [
  'decimals',
  'keys',
  'retries',
  'signatures',
  'splits',
].map((name) => readJson(`packages/vectors/${name}.json`))

const rejection = (work: () => unknown): unknown => {
  try {
    work()
    return undefined
  } catch (error) {
    return error
  }
}

describe('decimals', () => {
  test('are shown with the digits that they were written with', () => {
    for (const { text, shown, fits_row: fits } of decimals.parsed) {
      expect(Decimal.from(text).toString(), text).toBe(shown)
      expect(Decimal.from(shown).toString()).toBe(shown)
      expect(Decimal.from(text).fitsRow, text).toBe(fits)
    }
    for (const text of decimals.malformed)
      expect(() => Decimal.from(text), JSON.stringify(text)).toThrow(RangeError)
  })

  test('are added, subtracted, multiplied and compared exactly', () => {
    for (const { a, b, add, subtract, multiply, compare } of decimals.arithmetic) {
      const left = Decimal.from(a)
      expect(left.add(b).toString()).toBe(add)
      expect(left.subtract(b).toString()).toBe(subtract)
      expect(left.multiply(b).toString()).toBe(multiply)
      expect(left.compare(b)).toBe(compare)
    }
  })

  test('come from a float of at most 15 digits, and become one only where it has the same digits', () => {
    for (const { float, text } of decimals.floats) {
      const exact = exactNumberText(float)
      const decimal = exact === undefined ? undefined : Decimal.from(exact)
      expect(decimal?.fitsRow ? decimal.toString() : null, `${float}`).toBe(text)
    }
    for (const { text, float } of decimals.to_float) {
      const decimal = Decimal.from(text)
      if (float === null) expect(() => decimal.toNumber(), text).toThrow(RangeError)
      else expect(decimal.toNumber()).toBe(float)
    }
  })
})

const toPart = (part: unknown): KeyPart => {
  if (typeof part !== 'object' || part === null) return part as KeyPart
  return 'instant' in part
    ? new Date(`${part.instant}`)
    : Temporal.PlainDate.from(`${Object.values(part)[0]}`)
}

const toKey = (parts: unknown[]): string => keyFor(...(parts.map(toPart) as [KeyPart]))

describe('keys', () => {
  test('of parts', () => {
    for (const { parts, key } of keys.keys) expect(toKey(parts)).toBe(key)
    for (const { parts } of keys.refused) {
      expect(
        rejection(() => toKey(parts)),
        JSON.stringify(parts),
      ).toBeInstanceOf(InvalidKey)
    }
  })

  test('that no call accepts', () => {
    for (const { key, is_refused: isRefused } of keys.faults) {
      expect(findKeyFault(key) !== undefined, key).toBe(isRefused)
    }
  })

  test('that come from the clock or a random generator are refused, with the reason', () => {
    for (const { key, why } of keys.unsafe) {
      const sentence = findUnsafeKey(key, Date.parse(keys.now))
      const found = sentence === undefined ? null : sentence.includes('random') ? 'random' : 'time'
      expect(found, key).toBe(why)
    }
  })

  test('of parts of a file', () => {
    for (const { key, part, sha256, part_key: expected } of keys.parts) {
      expect(partKey(key, part, sha256)).toBe(expected)
    }
  })
})

describe('retries', () => {
  test('follow each answer as it was agreed', () => {
    for (const {
      policy,
      status,
      readable,
      retry_after_ms,
      pauses,
      elapsed_ms,
      random,
      then,
      ms,
    } of retries.steps) {
      const step = nextStep(
        policy === 'webhook' ? webhookBackoff : callBackoff,
        { status, readable, retryAfterMs: retry_after_ms ?? undefined },
        { pauses, elapsedMs: elapsed_ms, random },
      )
      expect(
        { do: step.do, ms: 'ms' in step ? step.ms : undefined },
        JSON.stringify({ policy, status, pauses }),
      ).toEqual({
        do: then,
        ms,
      })
    }
  })

  test('wait for Retry-After in seconds or until a date', () => {
    for (const { header, now, ms } of retries.retry_after) {
      expect(readRetryAfter(header, Date.parse(now)) ?? null, header).toBe(ms)
    }
  })

  test('renew tokens a minute before their end, and once after a 401', () => {
    for (const { issued_at_ms: at, expires_in: seconds, renew_at_ms: renew } of retries.tokens) {
      expect(renewAtMs(at, seconds)).toBe(renew)
    }
    for (const { renewable, refusals, then } of retries.unauthenticated) {
      expect(afterUnauthenticated(renewable, refusals)).toBe(then)
    }
  })
})

describe('signatures', () => {
  test('are those of the guide', async () => {
    expect(signatures.signed).toEqual(readJson('docs/guides/webhook-test-vectors.json'))
    for (const { secret, t, delivery_id: deliveryId, body, body_hex: hex, v1 } of signatures.signed) {
      const bytes = body ?? new Uint8Array(Buffer.from(hex, 'hex'))
      expect(await signDelivery({ secret, deliveryId, body: bytes, t })).toBe(`t=${t},v1=${v1}`)
    }
  })

  test('are verified as the service verifies them', async () => {
    const { secret } = signatures.signed[0]
    for (const { signature, now, fault } of signatures.verified) {
      const found = await verifyDelivery({
        secret,
        deliveryId: 'a',
        body: '{}',
        signature,
        nowMs: now * 1000,
      })
      expect(found ?? null, signature).toBe(fault)
    }
  })
})

describe('splits', () => {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

  const read = async (bytes: Uint8Array, chunkBytes: number, bytesMax: number, declared?: 'csv') => {
    const document = await openDocument(bytes)
    const chunks = async function* (): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
    }
    const parts: string[] = []
    try {
      const opened = await openParts({ ...document, read: chunks }, bytesMax, declared)
      for await (const part of opened.parts) parts.push(decoder.decode(part.bytes))
      return { parts, brokenAt: undefined }
    } catch (error) {
      if (error instanceof BrokenFile) return { parts, brokenAt: error.byte }
      throw error
    }
  }

  test.each<{
    name: string
    text: string
    bytes_max: number
    parts?: string[]
    broken_at?: number
    declared?: 'csv'
  }>(splits.splits)(
    '$name',
    async ({ text, bytes_max: bytesMax, parts = [], broken_at: brokenAt, declared }) => {
      const bytes = new TextEncoder().encode(text)
      for (const chunkBytes of [1, 2, 3, 7, 1000]) {
        expect(await read(bytes, chunkBytes, bytesMax, declared), `in chunks of ${chunkBytes}`).toEqual({
          parts,
          brokenAt,
        })
      }
    },
  )
})
