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

let budget: BodyBudget
beforeEach(() => {
  vi.useFakeTimers()
  budget = createBodyBudget({ bytesMax })
})
afterEach(() => {
  budget[Symbol.dispose]()
  vi.useRealTimers()
})

interface Sent {
  body: ReservedBody
  error: Error | undefined
}

/** A body that is still coming in, with this many bytes there. */
const begin = (body: ReservedBody, bytes: number): Sent => {
  const sent: Sent = { body, error: undefined }
  body.onCut((error) => (sent.error = error))
  body.reserve(bytes)
  return sent
}

/** As many unfinished bodies as the network may have, each a byte short of the most that is small. */
const fill = (network: string): Sent[] => {
  const sent: Sent[] = []
  for (;;) {
    try {
      sent.push(begin(budget.openForNetwork(network), smallBodyBytesMax - 1))
    } catch (error) {
      expect(error).toBeInstanceOf(OverloadedError)
      return sent
    }
  }
}

describe('the budget for bodies', () => {
  test('one network has its share, however much it sends, and another company and network still find space', () => {
    const bodies = fill('1.1.1.0/24')
    expect(bodies).toHaveLength(Math.floor((bytesMax * networkBodyShare) / (smallBodyBytesMax - 1)))
    const push = budget.openForCompany('a')
    push.reserve(small)
    const large = budget.openForCompany('a')
    large.reserve(bytesMax * companyBodyShare * 0.7)
    const webhook = budget.openForNetwork('2.2.2.0/24')
    webhook.reserve(small)
    expect(bodies.every(({ error }) => error === undefined)).toBe(true)
  })

  test('newcomers get in when many networks fill it, each with its whole share, and the one that holds most gives way', () => {
    const networks = Array.from({ length: 12 }, (_, index) => fill(`1.1.${index}.0/24`))
    for (let index = 0; index < 100; index++) {
      budget.openForNetwork(`2.2.${index}.0/24`).reserve(smallBodyBytesMax)
      budget.openForCompany(`company ${index}`).reserve(smallBodyBytesMax)
    }
    const cut = networks.map((bodies) => bodies.filter(({ error }) => error !== undefined).length)
    expect(cut.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(0)
    // The oldest gave way first, and those that hold the same gave the same.
    for (const bodies of networks) {
      const kept = bodies.findIndex(({ error }) => error === undefined)
      expect(bodies.slice(kept).every(({ error }) => error === undefined)).toBe(true)
    }
    for (const { error } of networks.flat()) if (error) expect(error).toBeInstanceOf(OverloadedError)
  })

  test('a company that sends large bodies gives way to none that hold less for their share', () => {
    const push = begin(budget.openForCompany('a'), bytesMax * companyBodyShare * 0.2)
    for (let index = 0; index < 12; index++) fill(`1.1.${index}.0/24`)
    budget.openForCompany('b').reserve(bytesMax * companyBodyShare * 0.2)
    expect(push.error).toBeUndefined()
  })

  test('large bodies leave budget for small ones of the same company', () => {
    const share = bytesMax * companyBodyShare
    const large = budget.openForCompany('a')
    expect(() => large.reserve(share)).toThrow(OverloadedError)
    large.reserve(share * 0.75)
    expect(() => budget.openForCompany('a').reserve(smallBodyBytesMax + 1)).toThrow(OverloadedError)
    budget.openForCompany('a').reserve(smallBodyBytesMax)
  })

  test('within one share what is coming in stays, and what waits gives way', () => {
    const share = bytesMax * networkBodyShare
    const bodies = begin(budget.openForNetwork('a'), share * 0.4)
    const active = begin(budget.openForNetwork('a'), share * 0.3)
    expect(() => budget.openForNetwork('a').reserve(share * 0.2)).toThrow(OverloadedError)
    expect([bodies.error, active.error]).toEqual([undefined, undefined])
    for (let second = 0; second < 3; second++) {
      vi.advanceTimersByTime(1_000)
      active.body.reserve(1)
    }
    budget.openForNetwork('a').reserve(share * 0.2)
    expect(bodies.error).toBeInstanceOf(OverloadedError)
    expect(active.error).toBeUndefined()
  })

  test('what is released, by whom it was opened or because it was cut, is budget again, once', () => {
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
    const body = budget.openForNetwork('a')
    body.reserve(small)
    body.transferTo('company')
    expect(() => budget.openForCompany('company').reserve(share)).toThrow(OverloadedError)
    body.release()
    budget.openForCompany('company').reserve(share)
  })

  test('a company that holds its share takes no webhook either', () => {
    budget.openForCompany('company').reserve(bytesMax * companyBodyShare * 0.75)
    const body = budget.openForNetwork('a')
    body.reserve(smallBodyBytesMax + 1)
    expect(() => body.transferTo('company')).toThrow(OverloadedError)
  })
})

/** When a body is cut that arrives at this rate after its first part. */
const secondsUntilCut = (bytesPerSecond: number, first = 0): number => {
  const sent = begin(budget.openForNetwork('a'), first)
  for (let second = 1; second <= 100; second++) {
    sent.body.reserve(bytesPerSecond)
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
    const body = budget.openForNetwork('a')
    let error: Error | undefined
    body.onCut((thrown) => (error = thrown))
    body.count(1)
    vi.advanceTimersByTime((bodyGraceSeconds + 1) * 1_000)
    expect(error).toMatchObject({ status: 408 })
  })
})
