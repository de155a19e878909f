import { wordsOfName } from '../../../../src/console/previews/words-of-name.ts'
import type { Draft, DraftMetric } from './draft.ts'

/** Words of field names, in English and Swedish. The first that occurs in a field’s name decides. */
const words = {
  amount: ['amount', 'total', 'revenue', 'turnover', 'net', 'belopp', 'summa', 'omsättning', 'netto'],
  quantity: ['quantity', 'qty', 'antal', 'kvantitet'],
  price: ['price', 'pris'],
  person: ['user', 'customer', 'member', 'client', 'användare', 'kund', 'medlem'],
  currency: ['currency', 'valuta'],
  label: ['country', 'land', 'market', 'marknad', 'region', 'channel', 'kanal'],
}

function findByWords(fields: Draft['fields'], sought: readonly string[]): string | undefined {
  for (const word of sought) {
    const found = fields.find(({ name }) => wordsOfName(name).includes(word))
    if (found !== undefined) return found.name
  }
  return undefined
}

export type ProposedMetric = Omit<DraftMetric, 'id'>

/** What a metric may count, judged by the names and types of the fields; with an empty `field` where nothing fits. */
function proposeMetric(
  { fields, event_time }: Draft,
  { key, unit }: { key: string; unit: string },
): ProposedMetric {
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
  // A sum over currencies would look right and be wrong.
  if (findByWords(named, words.currency) !== undefined) {
    return { ...base, aggregation: 'sum', field: '', times: '' }
  }
  const [quantity, price] = [findByWords(numbers, words.quantity), findByWords(numbers, words.price)]
  const amount = findByWords(numbers, words.amount)
  if (amount === undefined && quantity !== undefined && price !== undefined) {
    return { ...base, aggregation: 'sum', field: quantity, times: price }
  }
  const only = numbers.length === 1 ? numbers[0]!.name : ''
  return { ...base, aggregation: 'sum', field: amount ?? only, times: '' }
}

/** One of each known key that the source does not have, in the order of the keys. */
export function proposeMetrics(
  draft: Draft,
  known: readonly { key: string; unit: string }[],
): ProposedMetric[] {
  return known
    .filter(({ key }) => !draft.metrics.some(({ metric }) => metric === key))
    .map((each) => proposeMetric(draft, each))
}
