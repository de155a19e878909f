import { formatInstant } from '../../formats/values/timestamp.ts'

/** `event_at`, stored as exact seconds since 1970, as RFC 3339 in UTC. */
export function formatEventTime(text: string): string {
  const [whole = '', decimals = ''] = text.replace('-', '').split('.')
  const seconds = Number(whole)
  if (!text.startsWith('-')) return formatInstant({ seconds, fraction: decimals })
  if (decimals === '') return formatInstant({ seconds: -seconds, fraction: '' })
  // Seconds are rounded down, and the fraction counts forwards from there.
  const rest = (10n ** BigInt(decimals.length) - BigInt(decimals)).toString().padStart(decimals.length, '0')
  return formatInstant({ seconds: -seconds - 1, fraction: rest.replace(/0+$/, '') })
}
