import { formatOffset, offsetMsAt } from '../../company/zoned-time.ts'
import type { DeliveryRows } from '../delivery-queries.ts'

type RowValue = NonNullable<DeliveryRows['rows'][number]['values']>[number] | undefined

/** The text of a value that was sent; undefined where it is missing, masked, cut or broken. */
export function getWholeText(value: RowValue): string | undefined {
  return value?.characters === undefined && value?.broken !== true ? value?.text : undefined
}

/**
 * What a refused value most likely means, in the service's notation; undefined where that is uncertain. A person reads it before
 * it is sent.
 *
 * @param timeZone of the company, for times without an offset
 */
export function correctValue(code: string, value: RowValue, timeZone: string): string | undefined {
  const text = getWholeText(value)
  if (text === undefined) return undefined
  if (code === 'number_malformed') return correctNumber(text)
  if (code === 'bool_malformed') return correctBool(text)
  return code.startsWith('timestamp_') ? correctTimestamp(text.trim(), timeZone) : undefined
}

/** Thousands separated by a space of any kind, an apostrophe or a point, and a decimal comma. */
const swedishPattern = /^(-?)(\d{1,3}(?:[ '’.]\d{3})+|\d+)(?:,(\d+))?$/
/** Thousands separated by commas, and a decimal point. */
const englishPattern = /^(-?)(\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/

function correctNumber(text: string): string | undefined {
  const plain = text
    .trim()
    .replaceAll(/[\u00A0\u2007\u2009\u202F]/g, ' ')
    .replace(/^[\u2212\u2013]\s*/, '-')
  // One comma and three digits: either thousands or decimals.
  if (/^-?\d{1,3},\d{3}$/.test(plain)) return undefined
  const match = swedishPattern.exec(plain) ?? englishPattern.exec(plain)
  if (match === null) return undefined
  const [, sign, whole, decimals] = match
  return `${sign}${whole!.replaceAll(/\D/g, '')}${decimals === undefined ? '' : `.${decimals}`}`
}

const yes = new Set(['1', 'yes', 'y', 't', 'on', 'ja', 'j', 'sant'])
const no = new Set(['0', 'no', 'n', 'f', 'off', 'nej', 'falskt'])

function correctBool(text: string): string | undefined {
  const word = text.trim().toLowerCase()
  return yes.has(word) ? 'true' : no.has(word) ? 'false' : undefined
}

/** A day, optionally with a time, which may lack seconds and an offset. */
const timestampPattern =
  /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})(?:[Tt ]\s*(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s*([Zz]|[+-]\d{2}:?\d{2})?)?$/

function correctTimestamp(text: string, timeZone: string): string | undefined {
  const match = timestampPattern.exec(text)
  if (match === null) return correctEpoch(text)
  const [, year, month, date, hour, minute, second = '00', fraction, offset] = match
  const day = `${year}-${month}-${date}`
  const noonMs = Date.parse(`${day}T12:00:00Z`)
  // `Date` moves days that do not exist into the next month, or refuses them.
  if (Number.isNaN(noonMs) || new Date(noonMs).toISOString().slice(0, 10) !== day) return undefined
  if (hour === undefined) return day === text ? undefined : day
  const clock = `${hour}:${minute}:${second}`
  const asUtcMs = Date.parse(`${day}T${clock}Z`)
  if (Number.isNaN(asUtcMs)) return undefined
  const decimals = fraction === undefined ? '' : `.${fraction}`
  // Near a clock change the first offset may be that of the other side.
  const ownOffset = (): string => formatOffset(offsetMsAt(asUtcMs - offsetMsAt(asUtcMs, timeZone), timeZone))
  const corrected = `${day}T${clock}${decimals}${offset?.toUpperCase().replace(/^(...):?(..)$/, '$1:$2') ?? ownOffset()}`
  return corrected === text ? undefined : corrected
}

/** Seconds or milliseconds since 1970, distinguished by their length. */
function correctEpoch(text: string): string | undefined {
  if (!/^\d{10}(?:\d{3})?$/.test(text)) return undefined
  const ms = Number(text) * (text.length === 10 ? 1_000 : 1)
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}
