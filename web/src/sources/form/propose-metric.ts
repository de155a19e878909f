import type { Draft, DraftMetric } from './draft.ts'

/** Words of field names, in English and Swedish. The first that occurs in a field's name decides. */
const words = {
  amount: ['amount', 'total', 'revenue', 'turnover', 'net', 'belopp', 'summa', 'omsättning', 'netto'],
  quantity: ['quantity', 'qty', 'antal', 'kvantitet'],
  price: ['price', 'pris'],
  person: ['user', 'customer', 'member', 'client', 'användare', 'kund', 'medlem'],
  label: ['country', 'land', 'market', 'marknad', 'region', 'channel', 'kanal'],
}

/** `UnitPrice`, `unit_price` and `unit price` have the same words. */
function toWords(name: string): string[] {
  const parted = name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase()
  return parted.split(/[^\p{L}]+/u)
}

function findByWords(fields: Draft['fields'], sought: readonly string[]): string | undefined {
  for (const word of sought) {
    const found = fields.find(({ name }) => toWords(name).includes(word))
    if (found !== undefined) return found.name
  }
  return undefined
}

/** What a metric may count, judged by the names and types of the fields; with an empty `field` where nothing fits. */
export function proposeMetric(
  { fields, event_time }: Draft,
  { key, unit }: { key: string; unit: string },
): Omit<DraftMetric, 'id'> {
  const named = fields.filter(({ name }) => name !== '' && name !== event_time)
  const numbers = named.filter(({ type, personal }) => type === 'number' && !personal)
  const label = findByWords(
    named.filter(({ type, personal }) => type === 'text' && !personal),
    words.label,
  )
  const base = {
    metric: key,
    filters: [],
    group_by: label === undefined ? [] : [label],
    period: 'day' as const,
  }
  if (unit === 'count') {
    return {
      ...base,
      aggregation: 'count_distinct',
      field: findByWords(named, words.person) ?? '',
      times: '',
    }
  }
  const [quantity, price] = [findByWords(numbers, words.quantity), findByWords(numbers, words.price)]
  const amount = findByWords(numbers, words.amount)
  if (amount === undefined && quantity !== undefined && price !== undefined) {
    return { ...base, aggregation: 'sum', field: quantity, times: price }
  }
  const only = numbers.length === 1 ? numbers[0]!.name : ''
  return { ...base, aggregation: 'sum', field: amount ?? only, times: '' }
}

/** Adds a metric of a key that the source does not have, the first known one by default, with what fits the fields. */
export function addMetric(
  draft: Draft,
  known: readonly { key: string; unit: string }[],
  wanted?: string,
): Draft {
  const free = known.filter(({ key }) => !draft.metrics.some(({ metric }) => metric === key))
  const chosen = wanted === undefined ? free[0] : free.find(({ key }) => key === wanted)
  if (chosen === undefined) return draft
  const metric = { id: draft.next, ...proposeMetric(draft, chosen) }
  return { ...draft, metrics: [...draft.metrics, metric], next: draft.next + 1 }
}
