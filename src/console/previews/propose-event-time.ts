import { wordsOfName } from './words-of-name.ts'

/** Words in a field's name that suggest that it is the time of an event, and words that suggest it is not. */
const weights: readonly [words: readonly string[], weight: number][] = [
  [
    [
      'event',
      'occurred',
      'happened',
      'sold',
      'sale',
      'ordered',
      'order',
      'invoice',
      'transaction',
      'booked',
      'purchase',
    ],
    3,
  ],
  [
    ['händelse', 'såld', 'köpt', 'köp', 'orderdatum', 'fakturadatum', 'bokföringsdatum', 'transaktionsdatum'],
    3,
  ],
  [['created', 'started', 'skapad', 'timestamp', 'tidpunkt', 'date', 'datum', 'at', 'time', 'tid'], 1],
  [
    ['updated', 'modified', 'changed', 'deleted', 'due', 'paid', 'shipped', 'delivered', 'expires', 'end'],
    -3,
  ],
  [['ändrad', 'uppdaterad', 'förfallodatum', 'betald', 'levererad', 'slut'], -3],
]

/** The timestamp field that most likely is a row's event time; the first one if none stands out. */
export function proposeEventTime(names: readonly string[]): string | null {
  let best: string | null = null
  let bestWeight = -Infinity
  for (const name of names) {
    const words = wordsOfName(name)
    const weight = weights.reduce(
      (sum, [of, each]) => sum + (words.some((word) => of.includes(word)) ? each : 0),
      0,
    )
    if (weight > bestWeight) {
      best = name
      bestWeight = weight
    }
  }
  return best
}
