import { expect, test } from 'vitest'
import { OverloadedError } from '../database/overloaded-error.ts'
import {
  companyPagesMax,
  createOpenPages,
  memberPagesMax,
  openPagesMax,
  type OpenPage,
} from './open-pages.ts'

interface TestPage extends OpenPage {
  /** Versions told, in their order. */
  told: string[]
  heard: number
  ended: boolean
}

let members = 0
const openPage = (more: Partial<OpenPage> = {}): TestPage => {
  const page: TestPage = {
    companyId: 'one',
    memberId: `member ${members++}`,
    told: [],
    heard: 0,
    ended: false,
    send: (text) => {
      page.heard++
      const version = /^data: "(.*)"$/m.exec(text)?.[1]
      if (version !== undefined) page.told.push(version)
    },
    end: () => (page.ended = true),
    ...more,
  }
  return page
}

const everyoneMay = async (shown: readonly OpenPage[]): Promise<ReadonlySet<OpenPage>> => new Set(shown)

const everyMs = { lookEveryMs: 5, hereEveryMs: 5, checkEveryMs: 5 }

test('a page is told what there is, and each change of its own company', async () => {
  const versions = new Map([
    ['one', 'a'],
    ['two', 'x'],
  ])
  using pages = createOpenPages({
    whoMayLook: everyoneMay,
    versionOf: async (company) => versions.get(company)!,
    ...everyMs,
  })
  const [one, two] = [openPage(), openPage({ companyId: 'two' })]
  pages.open(one, 'a')
  pages.open(two, 'x')
  expect([one.told, two.told]).toEqual([['a'], ['x']])
  versions.set('one', 'b')
  await expect.poll(() => one.told).toEqual(['a', 'b'])
  versions.set('two', 'y')
  await expect.poll(() => two.told).toEqual(['x', 'y'])
  expect(one.told).toEqual(['a', 'b'])
})

test('pages of one company cost one look, and no page none', async () => {
  let looks = 0
  using pages = createOpenPages({
    whoMayLook: everyoneMay,
    versionOf: async () => `${++looks > 0}`,
    lookEveryMs: 20,
    checkEveryMs: 5_000,
  })
  const many = Array.from({ length: 50 }, () => openPage())
  for (const page of many) pages.open(page, 'a')
  await expect.poll(() => many.every((page) => page.told.length === 2)).toBe(true)
  expect(looks).toBeLessThan(50)
  for (const page of many) pages.close(page)
  // One may be under way.
  const before = looks
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(looks - before).toBeLessThanOrEqual(1)
})

test('whoever may look no more is ended, in one check of all, and nobody while that cannot be found out', async () => {
  let may: boolean | 'away' = 'away'
  const [page, other] = [openPage(), openPage()]
  const asked: number[] = []
  const whoMayLook = async (shown: readonly OpenPage[]) => {
    asked.push(shown.length)
    if (may === 'away') throw new Error('the database is away')
    return new Set(shown.filter((each) => each !== page || may))
  }
  using pages = createOpenPages({ whoMayLook, versionOf: async () => 'a', ...everyMs })
  pages.open(page, 'a')
  pages.open(other, 'a')
  await expect.poll(() => page.heard).toBeGreaterThan(2)
  expect(page.ended).toBe(false)
  may = false
  await expect.poll(() => page.ended).toBe(true)
  expect(other.ended).toBe(false)
  expect(asked.slice(0, 2)).toEqual([2, 2])
})

test('a page that was opened with what was true before the last look is told what is true now', async () => {
  using pages = createOpenPages({ whoMayLook: everyoneMay, versionOf: async () => 'b', ...everyMs })
  const first = openPage()
  pages.open(first, 'a')
  await expect.poll(() => first.told).toEqual(['a', 'b'])
  const late = openPage()
  pages.open(late, 'a')
  await expect.poll(() => late.told).toEqual(['a', 'b'])
  expect(first.told).toEqual(['a', 'b'])
})

test('a company whose look takes long holds up no other, and is not looked at twice at once', async () => {
  let underWay = 0
  const versionOf = async (company: string) => {
    if (company === 'one') return 'b'
    underWay++
    return new Promise<string>(() => {})
  }
  using pages = createOpenPages({ whoMayLook: everyoneMay, versionOf, ...everyMs })
  const [slow, quick] = [openPage({ companyId: 'slow' }), openPage()]
  pages.open(slow, 'a')
  pages.open(quick, 'a')
  await expect.poll(() => quick.told).toEqual(['a', 'b'])
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(underWay).toBe(1)
})

test('a page that nothing happens on hears that it is still told, by an event that changes nothing', async () => {
  using pages = createOpenPages({ whoMayLook: everyoneMay, versionOf: async () => 'a', ...everyMs })
  const texts: string[] = []
  pages.open(openPage({ send: (text) => texts.push(text) }), 'a')
  await expect.poll(() => texts.length).toBeGreaterThan(2)
  expect(texts.slice(1)).toEqual(texts.slice(1).map(() => 'event: here\ndata: .\n\n'))
})

test('a look that fails is made again', async () => {
  let looks = 0
  const versionOf = async () => {
    if (++looks < 3) throw new Error('the database is away')
    return 'b'
  }
  using pages = createOpenPages({ whoMayLook: everyoneMay, versionOf, ...everyMs })
  const page = openPage()
  pages.open(page, 'a')
  await expect.poll(() => page.told).toEqual(['a', 'b'])
})

test('a member who opens ever more pages loses the oldest, and others theirs not', () => {
  using pages = createOpenPages({ whoMayLook: everyoneMay, versionOf: async () => 'a' })
  const other = openPage()
  pages.open(other, 'a')
  const own = Array.from({ length: memberPagesMax + 2 }, () => openPage({ memberId: 'me' }))
  for (const page of own) pages.open(page, 'a')
  expect(own.map((page) => page.ended)).toEqual([true, true, ...own.slice(2).map(() => false)])
  expect(other.ended).toBe(false)
})

test('beyond the bound a page is turned away, until another one goes; all end with the service', () => {
  const pages = createOpenPages({ whoMayLook: everyoneMay, versionOf: async () => 'a' })
  const many = Array.from({ length: openPagesMax }, (_, place) => openPage({ companyId: `${place % 10}` }))
  for (const page of many) pages.open(page, 'a')
  expect(() => pages.open(openPage(), 'a')).toThrow(OverloadedError)
  pages.close(many[0]!)
  pages.open(openPage(), 'a')
  pages[Symbol.dispose]()
  expect(many.slice(1).every((page) => page.ended)).toBe(true)
  expect(() => pages.open(openPage(), 'a')).toThrow(OverloadedError)
})

test('one company leaves room for the pages of others', () => {
  using pages = createOpenPages({ whoMayLook: everyoneMay, versionOf: async () => 'a' })
  const many = Array.from({ length: companyPagesMax }, () => openPage())
  for (const page of many) pages.open(page, 'a')
  expect(() => pages.open(openPage(), 'a')).toThrow(OverloadedError)
  pages.open(openPage({ companyId: 'two' }), 'a')
  pages.close(many[0]!)
  pages.open(openPage(), 'a')
})
