import { bookingRows, orderRows } from './fixture-rows.ts'

/** One for each kind of system that hands over documents. */
export type FixtureKind = 'sales' | 'orders' | 'bookings'

/** What a system hands over for one month. */
export interface FixtureDocument {
  /** Idempotency key or delivery id. */
  key: string
  body: Buffer
}

const fixtureMonths = 12

/** A cash register sells less than a web shop. */
const salesADay = 8

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`
}

/** As spreadsheets write it: semicolons, CRLF, and a column that the source does not declare. */
function csv(days: string[]): string {
  const rows = days.flatMap((day) => orderRows(day, 'wholesale'))
  const names = Object.keys(rows[0]!)
  const lines = rows.map((row) => [...names.map((name) => row[name]), quoted('Kim "K"')].join(';'))
  return [[...names, 'clerk'].join(';'), ...lines, ''].join('\r\n')
}

/** SIE 4, section 3, "Character set": code page 437, of which Swedish needs these. */
const codePage437: Record<string, string> = {
  å: '\x86',
  ä: '\x84',
  ö: '\x94',
  Å: '\x8f',
  Ä: '\x8e',
  Ö: '\x99',
}
function inCodePage437(text: string): Buffer {
  return Buffer.from(
    text.replaceAll(/[^\0-\x7f]/g, (character) => codePage437[character]!),
    'latin1',
  )
}

/** A SIE 4 export of one month: a voucher a day, each row of which is balanced by the bank account. */
function sie(days: string[]): string {
  const [first, last] = [days[0]!, days.at(-1)!].map((day) => day.replaceAll('-', '')) as [string, string]
  const vouchers = days.flatMap((day, index) => [
    `#VER "A" ${index + 1} ${day.replaceAll('-', '')} "Dagskassa"`,
    '{',
    ...bookingRows(day).flatMap(({ account, amount }) => {
      // Revenue is booked as a credit, with a minus sign.
      const turned = amount!.startsWith('-') ? amount!.slice(1) : `-${amount}`
      return [`   #TRANS ${account} {} ${turned}`, `   #TRANS 1930 {} ${amount}`]
    }),
    '}',
  ])
  return [
    '#FLAGGA 0',
    '#PROGRAM "Numera" "demo"',
    '#FORMAT PC8',
    `#GEN ${last}`,
    '#SIETYP 4',
    '#FNAMN "Norrsken Kaffe AB"',
    '#ORGNR 559999-0024',
    `#RAR 0 ${first.slice(0, 4)}0101 ${first.slice(0, 4)}1231`,
    '#KONTO 1930 "Företagskonto"',
    '#KONTO 3001 "Försäljning inom Sverige"',
    ...vouchers,
    '',
  ].join('\r\n')
}

const bodyOf: Record<FixtureKind, (days: string[]) => Buffer> = {
  sales: (days) =>
    Buffer.from(JSON.stringify(days.flatMap((day) => orderRows(day, 'register').slice(0, salesADay)))),
  orders: (days) => Buffer.from(csv(days)),
  bookings: (days) => inCodePage437(sie(days)),
}

/**
 * The documents of the twelve whole months before that of `today` (`YYYY-MM-DD`), oldest first. Each is the same
 * whenever it is made.
 */
export function fixtureDocuments(kind: FixtureKind, today: string): FixtureDocument[] {
  const thisMonth = Temporal.PlainDate.from(today).toPlainYearMonth()
  return Array.from({ length: fixtureMonths }, (_, index) => {
    const month = thisMonth.subtract({ months: fixtureMonths - index })
    const days = Array.from({ length: month.daysInMonth }, (_day, day) =>
      month.toPlainDate({ day: day + 1 }).toString(),
    )
    return { key: `demo:${month}`, body: bodyOf[kind](days) }
  })
}
