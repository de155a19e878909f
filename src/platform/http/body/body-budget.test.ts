import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { OverloadedError } from '../../database/overloaded-error.ts'
import { ApiError } from '../errors/errors.ts'
import {
  bodyBytesPerSecondMin,
  bodyGraceSeconds,
  companyBodyShare,
  createBodyBudget,
  networkBodyShare,
  smallBodyBytesMax,
  type BodyBudget,
  type ReservedBody,
} from './body-budget.ts'

const bytesMax = 400 * 65_536
const small = 4_096

let room: BodyBudget
beforeEach(() => {
  vi.useFakeTimers()
  room = createBodyBudget({ bytesMax })
})
afterEach(() => {
  room[Symbol.dispose]()
  vi.useRealTimers()
})

interface Sent {
  body: ReservedBody
  error: Error | undefined
}

/** A body that is still coming in, with this many bytes there. */
const begin = (body: ReservedBody, bytes: number): Sent => {
  const sent: Sent = { body, error: undefined }
  body.waitFor((error) => (sent.error = error))
  body.take(bytes)
  return sent
}

/** As many unfinished bodies as the network may have, each a byte short of the most that is small. */
const fill = (network: string): Sent[] => {
  const sent: Sent[] = []
  for (;;) {
    try {
      sent.push(begin(room.openForNetwork(network), smallBodyBytesMax - 1))
    } catch (error) {
      expect(error).toBeInstanceOf(OverloadedError)
      return sent
    }
  }
}

describe('the room for bodies', () => {
  test('one network has its share, whatever it sends, and another company and network find room beside it', () => {
    const held = fill('1.1.1.0/24')
    expect(held).toHaveLength(Math.floor((bytesMax * networkBodyShare) / (smallBodyBytesMax - 1)))
    const push = room.openForCompany('a')
    push.take(small)
    const large = room.openForCompany('a')
    large.take(bytesMax * companyBodyShare * 0.7)
    const webhook = room.openForNetwork('2.2.2.0/24')
    webhook.take(small)
    expect(held.every(({ error }) => error === undefined)).toBe(true)
  })

  test('newcomers get in when many networks fill it, each with its whole share, and the one that holds most gives way', () => {
    const networks = Array.from({ length: 12 }, (_, index) => fill(`1.1.${index}.0/24`))
    for (let index = 0; index < 100; index++) {
      room.openForNetwork(`2.2.${index}.0/24`).take(smallBodyBytesMax)
      room.openForCompany(`company ${index}`).take(smallBodyBytesMax)
    }
    const cut = networks.map((held) => held.filter(({ error }) => error !== undefined).length)
    expect(cut.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(0)
    // The oldest gave way first, and those that hold the same gave the same.
    for (const held of networks) {
      const kept = held.findIndex(({ error }) => error === undefined)
      expect(held.slice(kept).every(({ error }) => error === undefined)).toBe(true)
    }
    for (const { error } of networks.flat()) if (error) expect(error).toBeInstanceOf(OverloadedError)
  })

  test('a company that sends large bodies gives way to none that hold less for their share', () => {
    const push = begin(room.openForCompany('a'), bytesMax * companyBodyShare * 0.2)
    for (let index = 0; index < 12; index++) fill(`1.1.${index}.0/24`)
    room.openForCompany('b').take(bytesMax * companyBodyShare * 0.2)
    expect(push.error).toBeUndefined()
  })

  test('large bodies leave room for small ones of the same company', () => {
    const share = bytesMax * companyBodyShare
    const large = room.openForCompany('a')
    expect(() => large.take(share)).toThrow(OverloadedError)
    large.take(share * 0.75)
    expect(() => room.openForCompany('a').take(smallBodyBytesMax + 1)).toThrow(OverloadedError)
    room.openForCompany('a').take(smallBodyBytesMax)
  })

  test('within one share what is coming in stays, and what waits gives way', () => {
    const share = bytesMax * networkBodyShare
    const held = begin(room.openForNetwork('a'), share * 0.4)
    const active = begin(room.openForNetwork('a'), share * 0.3)
    expect(() => room.openForNetwork('a').take(share * 0.2)).toThrow(OverloadedError)
    expect([held.error, active.error]).toEqual([undefined, undefined])
    for (let second = 0; second < 3; second++) {
      vi.advanceTimersByTime(1_000)
      active.body.take(1)
    }
    room.openForNetwork('a').take(share * 0.2)
    expect(held.error).toBeInstanceOf(OverloadedError)
    expect(active.error).toBeUndefined()
  })

  test('what is released, by whom it was opened or because it was cut, is room again, once', () => {
    for (let round = 0; round < 3; round++) {
      const all = fill('a')
      expect(all.length).toBeGreaterThan(30)
      for (const { body } of all) {
        body.release()
        body.release()
      }
      vi.advanceTimersByTime(5_000)
    }
    const share = bytesMax * companyBodyShare * 0.75
    const body = room.openForNetwork('a')
    body.take(small)
    body.passTo('company')
    expect(() => room.openForCompany('company').take(share)).toThrow(OverloadedError)
    body.release()
    room.openForCompany('company').take(share)
  })

  test('a company that holds its share takes no webhook either', () => {
    room.openForCompany('company').take(bytesMax * companyBodyShare * 0.75)
    const body = room.openForNetwork('a')
    body.take(smallBodyBytesMax + 1)
    expect(() => body.passTo('company')).toThrow(OverloadedError)
  })
})

/** When a body is cut that comes at this rate behind what came at once. */
const secondsUntilCut = (bytesPerSecond: number, first = 0): number => {
  const sent = begin(room.openForNetwork('a'), first)
  for (let second = 1; second <= 100; second++) {
    sent.body.take(bytesPerSecond)
    vi.advanceTimersByTime(1_000)
    if (sent.error === undefined) continue
    expect(sent.error).toBeInstanceOf(ApiError)
    expect(sent.error).toMatchObject({ code: 'internal', status: 408 })
    return second
  }
  sent.body.release()
  return Infinity
}

describe('a body that comes slowly', () => {
  test('is 408 once its grace is over, and one that is quick enough is read to its end', () => {
    expect(secondsUntilCut(10)).toBe(bodyGraceSeconds + 1)
    expect(secondsUntilCut(bodyBytesPerSecondMin - 1)).toBe(bodyGraceSeconds + 1)
    expect(secondsUntilCut(bodyBytesPerSecondMin)).toBe(Infinity)
  })

  test('cannot buy time for long with what came at first: 64 KiB less a byte last eight seconds', () => {
    expect(secondsUntilCut(0, 65_535)).toBe(8)
  })

  test('is late whether its bytes are kept or thrown away', () => {
    const body = room.openForNetwork('a')
    let error: Error | undefined
    body.waitFor((thrown) => (error = thrown))
    body.pass(1)
    vi.advanceTimersByTime((bodyGraceSeconds + 1) * 1_000)
    expect(error).toMatchObject({ status: 408 })
  })
})
