import { readFileSync } from 'node:fs'

/**
 * A SIE 4E file as a bookkeeping program exports it: every kind of record of the format, objects of two dimensions, struck and
 * added rows, a row whose date is another than its verification's, and a record of a later edition.
 */
export const exampleSie = readFileSync(new URL('./example.se', import.meta.url), 'utf8')

/** Credit less debit on the accounts 3000 to 3799, by month. */
export const exampleRevenue = { '2026-01-01': '8000.5', '2026-02-01': '1499.75', '2026-03-01': '0.5' }

const codePage437 = new Map(Object.entries({ å: 0x86, ä: 0x84, ö: 0x94, Å: 0x8f, Ä: 0x8e, Ö: 0x99 }))

/** The bytes of a text whose letters are Swedish, as most bookkeeping programs write them. */
export const inCodePage437 = (text: string): Buffer =>
  Buffer.from(Array.from(text, (character) => codePage437.get(character) ?? character.charCodeAt(0)))
