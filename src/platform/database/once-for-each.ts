/**
 * Runs a look-up once for all calls of a batch that are alike.
 *
 * @param toKey the same for calls that are alike
 * @param run gives a row for each of them, in order
 * @returns a row for each call, in order
 */
export async function onceForEach<Call, Row>(
  calls: readonly Call[],
  toKey: (call: Call) => string,
  run: (distinct: Call[]) => Promise<Row[]>,
): Promise<Row[]> {
  const places = new Map<string, number>()
  const distinct: Call[] = []
  const answerPlaces = calls.map((call) => {
    const key = toKey(call)
    const place = places.get(key) ?? distinct.push(call) - 1
    places.set(key, place)
    return place
  })
  const rows = await run(distinct)
  return answerPlaces.map((place) => rows[place]!)
}
