import { expect, test } from 'vitest'
import { OverloadedError } from '../../../platform/database/overloaded-error.ts'
import type { LogState } from './log-states.ts'
import {
  companyPagesMax,
  createOpenPages,
  memberPagesMax,
  openPagesMax,
  type OpenPage,
} from './open-pages.ts'

interface TestPage extends OpenPage {
  /** The changes it was sent, each as the tag it follows and its own. */
  changes: [since: string | null, etag: string, isListed: boolean][]
  events: number
  ended: boolean
}

let members = 0
const openPage = (more: Partial<OpenPage> = {}): TestPage => {
  const page: TestPage = {
    companyId: 'one',
    memberId: `member ${members++}`,
    changes: [],
    events: 0,
    ended: false,
    send: (text) => {
      page.events++
      const data = /^data: (\{.*\})$/m.exec(text)?.[1]
      if (data === undefined) return
      const { etag, since, deliveries } = JSON.parse(data)
      page.changes.push([since, etag, deliveries !== null])
    },
    end: () => (page.ended = true),
    ...more,
  }
  return page
}
const tags = (page: TestPage): string[] => page.changes.map(([, etag]) => etag)

const state = (etag: string): LogState => ({ etag, row: { sources: [], waiting: [], refused_call: null } })
const everyone = async (pages: readonly OpenPage[]): Promise<ReadonlySet<OpenPage>> => new Set(pages)
type Options = Parameters<typeof createOpenPages>[0]
const create = (options: Partial<Options> = {}) =>
  createOpenPages({
    findAllowed: everyone,
    getState: async () => state('a'),
    changesBetween: async () => ({ deliveries: [], refusedCalls: false }),
    pollEveryMs: 5,
    heartbeatEveryMs: 5,
    checkEveryMs: 5,
    ...options,
  })

test('a page is sent the state, and each change of its own company', async () => {
  const states = new Map([
    ['one', 'a'],
    ['two', 'x'],
  ])
  using pages = create({ getState: async (company) => state(states.get(company)!) })
  const [one, two] = [openPage(), openPage({ companyId: 'two' })]
  pages.open(one, state('a'))
  pages.open(two, state('x'))
  expect([tags(one), tags(two)]).toEqual([['a'], ['x']])
  states.set('one', 'b')
  await expect.poll(() => tags(one)).toEqual(['a', 'b'])
  states.set('two', 'y')
  await expect.poll(() => tags(two)).toEqual(['x', 'y'])
  expect(one.changes).toEqual([
    [null, 'a', false],
    ['a', 'b', true],
  ])
})

test('pages of one company cost one poll, and no page none', async () => {
  let polls = 0
  using pages = create({
    getState: async () => state(`${++polls > 0}`),
    pollEveryMs: 20,
    checkEveryMs: 5_000,
  })
  const many = Array.from({ length: 50 }, () => openPage())
  for (const page of many) pages.open(page, state('a'))
  await expect.poll(() => many.every((page) => page.changes.length === 2)).toBe(true)
  expect(polls).toBeLessThan(50)
  for (const page of many) pages.close(page)
  // One may be under way.
  const before = polls
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(polls - before).toBeLessThanOrEqual(1)
})

test('a page without the role is ended, in one check of all, but not while that cannot be determined', async () => {
  let allowed: boolean | 'unavailable' = 'unavailable'
  const [page, other] = [openPage(), openPage()]
  const checked: number[] = []
  const findAllowed = async (open: readonly OpenPage[]) => {
    checked.push(open.length)
    if (allowed === 'unavailable') throw new Error('the database is unavailable')
    return new Set(open.filter((each) => each !== page || allowed))
  }
  using pages = create({ findAllowed })
  pages.open(page, state('a'))
  pages.open(other, state('a'))
  await expect.poll(() => page.events).toBeGreaterThan(2)
  expect(page.ended).toBe(false)
  allowed = false
  await expect.poll(() => page.ended).toBe(true)
  expect(other.ended).toBe(false)
  expect(checked.slice(0, 2)).toEqual([2, 2])
})

test('a page that has just lost its role is sent no change', async () => {
  let current = 'a'
  const [page, other] = [openPage(), openPage()]
  using pages = create({
    getState: async () => state(current),
    findAllowed: async (open) => new Set(open.filter((each) => each !== page)),
    checkEveryMs: 60_000,
  })
  pages.open(page, state('a'))
  pages.open(other, state('a'))
  current = 'b'
  await expect.poll(() => tags(other)).toEqual(['a', 'b'])
  expect([tags(page), page.ended]).toEqual([['a'], true])
})

test('a page that was opened with an older state than its company’s reads its lists', async () => {
  using pages = create({ getState: async () => state('b') })
  const first = openPage()
  pages.open(first, state('a'))
  await expect.poll(() => tags(first)).toEqual(['a', 'b'])
  const late = openPage()
  pages.open(late, state('a'))
  await expect.poll(() => late.changes.at(-1)).toEqual(['a', 'b', false])
  expect(tags(first)).toEqual(['a', 'b'])
})

test('a slow company delays no other, and is polled once at a time', async () => {
  let underWay = 0
  const getState = async (company: string) => {
    if (company === 'one') return state('b')
    underWay++
    return new Promise<LogState>(() => {})
  }
  using pages = create({ getState })
  const [slow, quick] = [openPage({ companyId: 'slow' }), openPage()]
  pages.open(slow, state('a'))
  pages.open(quick, state('a'))
  await expect.poll(() => tags(quick)).toEqual(['a', 'b'])
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(underWay).toBe(1)
})

test('an idle stream has heartbeats', async () => {
  using pages = create()
  const texts: string[] = []
  pages.open(openPage({ send: (text) => texts.push(text) }), state('a'))
  await expect.poll(() => texts.length).toBeGreaterThan(2)
  expect(texts.slice(1)).toEqual(texts.slice(1).map(() => 'event: heartbeat\ndata: .\n\n'))
})

test('a poll that fails is repeated, and the change is still listed', async () => {
  let [polls, reads] = [0, 0]
  using pages = create({
    getState: async () => {
      if (++polls < 3) throw new Error('the database is unavailable')
      return state('b')
    },
    changesBetween: async () => {
      if (++reads < 3) throw new Error('the database is unavailable')
      return { deliveries: [], refusedCalls: false }
    },
  })
  const page = openPage()
  pages.open(page, state('a'))
  await expect.poll(() => page.changes.at(-1)).toEqual(['a', 'b', true])
})

test('a member who opens too many pages loses the oldest, others lose none', () => {
  using pages = create()
  const other = openPage()
  pages.open(other, state('a'))
  const own = Array.from({ length: memberPagesMax + 2 }, () => openPage({ memberId: 'me' }))
  for (const page of own) pages.open(page, state('a'))
  expect(own.map((page) => page.ended)).toEqual([true, true, ...own.slice(2).map(() => false)])
  expect(other.ended).toBe(false)
})

test('beyond the bound a page is refused until another one closes; all end with the service', () => {
  const pages = create()
  const many = Array.from({ length: openPagesMax }, (_, place) => openPage({ companyId: `${place % 10}` }))
  for (const page of many) pages.open(page, state('a'))
  expect(() => pages.open(openPage(), state('a'))).toThrow(OverloadedError)
  pages.close(many[0]!)
  pages.open(openPage(), state('a'))
  pages[Symbol.dispose]()
  expect(many.slice(1).every((page) => page.ended)).toBe(true)
  expect(() => pages.open(openPage(), state('a'))).toThrow(OverloadedError)
})

test('one company leaves room for the pages of others', () => {
  using pages = create()
  const many = Array.from({ length: companyPagesMax }, () => openPage())
  for (const page of many) pages.open(page, state('a'))
  expect(() => pages.open(openPage(), state('a'))).toThrow(OverloadedError)
  pages.open(openPage({ companyId: 'two' }), state('a'))
  pages.close(many[0]!)
  pages.open(openPage(), state('a'))
})
