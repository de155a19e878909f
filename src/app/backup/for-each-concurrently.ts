/**
 * Runs `act` for each item, at most `max` at the same time, and begins no further one after a failure.
 *
 * @throws what `act` threw first
 */
export async function forEachConcurrently<Item>(
  items: Iterable<Item>,
  max: number,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]()
  let hasFailed = false
  const run = async (): Promise<void> => {
    for (let next = iterator.next(); !next.done && !hasFailed; next = iterator.next()) {
      try {
        await act(next.value)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: max }, run))
}
