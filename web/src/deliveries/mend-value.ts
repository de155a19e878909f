import { dayAt, formatTime } from '../language/format-instant.ts'

/**
 * What a refused value most likely means, written as the service reads it; undefined where that cannot be told. A person
 * reads it before it is sent.
 *
 * @param text the value as it was sent
 * @param timeZone of the company, for times that say no offset
 */
export function mendValue(code: string, text: string, timeZone: string): string | undefined {
  if (code === 'number_malformed') return mendNumber(text)
  if (code === 'bool_malformed') return mendBool(text)
  if (code.startsWith('timestamp_')) return mendTimestamp(text.trim(), timeZone)
  return undefined
}

/** Groups of thousands under a space of any kind, an apostrophe or a point, and a decimal comma. */
const swedishForm = /^(-?)(\d{1,3}(?:[ '’.]\d{3})+|\d+)(?:,(\d+))?$/
/** The same under commas, and a decimal point. */
const englishForm = /^(-?)(\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/

function mendNumber(text: string): string | undefined {
  const plain = text
    .trim()
    .replaceAll(/[\u00A0\u2007\u2009\u202F]/g, ' ')
    .replace(/^[\u2212\u2013]\s*/, '-')
  // One comma and three digits behind it: either thousands or decimals.
  if (/^-?\d{1,3},\d{3}$/.test(plain)) return undefined
  const match = swedishForm.exec(plain) ?? englishForm.exec(plain)
  if (match === null) return undefined
  const [, sign, whole, decimals] = match
  return `${sign}${whole!.replaceAll(/\D/g, '')}${decimals === undefined ? '' : `.${decimals}`}`
}

const yes = new Set(['1', 'yes', 'y', 't', 'on', 'ja', 'j', 'sant'])
const no = new Set(['0', 'no', 'n', 'f', 'off', 'nej', 'falskt'])

function mendBool(text: string): string | undefined {
  const word = text.trim().toLowerCase()
  return yes.has(word) ? 'true' : no.has(word) ? 'false' : undefined
}

/** Day, then perhaps a time with or without seconds, then perhaps an offset. */
const timestampForm =
  /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})(?:[Tt ]\s*(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s*([Zz]|[+-]\d{2}:?\d{2})?)?$/

const secondMs = 1_000
const minuteMs = 60_000

function mendTimestamp(text: string, timeZone: string): string | undefined {
  const match = timestampForm.exec(text)
  if (match === null) return mendEpoch(text)
  const [, year, month, date, hour, minute, second = '00', fraction, offset] = match
  const day = `${year}-${month}-${date}`
  const noonMs = Date.parse(`${day}T12:00:00Z`)
  // There are days that do not exist, which `Date` moves into the next month or refuses.
  if (Number.isNaN(noonMs) || new Date(noonMs).toISOString().slice(0, 10) !== day) return undefined
  if (hour === undefined) return day === text ? undefined : day
  const clock = `${hour}:${minute}:${second}`
  if (Number.isNaN(Date.parse(`${day}T${clock}Z`))) return undefined
  const decimals = fraction === undefined ? '' : `.${fraction}`
  const said = offset === undefined ? offsetAt(day, clock, timeZone) : writeOffset(offset)
  const mended = `${day}T${clock}${decimals}${said}`
  return mended === text ? undefined : mended
}

function writeOffset(offset: string): string {
  return offset.toUpperCase() === 'Z' ? 'Z' : offset.replace(/^(...):?(..)$/, '$1:$2')
}

function two(value: number): string {
  return String(Math.trunc(value)).padStart(2, '0')
}

/** The offset that the clocks of a time zone have at a time that they show: `+01:00`. */
function offsetAt(day: string, clock: string, timeZone: string): string {
  const shownMs = Date.parse(`${day}T${clock}Z`)
  const offsetOf = (ms: number): number =>
    Date.parse(
      `${dayAt(ms, timeZone)}T${formatTime(new Date(ms).toISOString(), timeZone, { seconds: true })}Z`,
    ) - ms
  // Near a change the first answer may be that of the other side.
  const minutes = Math.round(offsetOf(shownMs - offsetOf(shownMs)) / minuteMs)
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${two(size / 60)}:${two(size % 60)}`
}

/** Seconds or milliseconds since 1970, of which those of this century are told by their length. */
function mendEpoch(text: string): string | undefined {
  if (!/^\d{10}(?:\d{3})?$/.test(text)) return undefined
  const ms = Number(text) * (text.length === 10 ? secondMs : 1)
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}
