/** At the least, so that one disturbed run for half the size does not hide what is square. */
const attemptsMin = 3
const attemptsMax = 40
/** For how long an attempt repeats one size. Milliseconds. */
const attemptMs = 10

/** The least time of one run, in milliseconds, of as many as fill `attemptMs`, and of one at least. */
function measureLeastMs(run: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  const started = performance.now()
  let now = started
  do {
    const before = now
    run()
    now = performance.now()
    least = Math.min(least, now - before)
  } while (now - started < attemptMs)
  return least
}

/**
 * How many times as much time the run that `prepare` returns takes for twice the size: about 2 where it is proportional, 4 where it is
 * square. What `prepare` allocates is not measured: memory that is fresh from the system costs more than all the rest of a short run.
 *
 * Compares the quickest run of each size, since other events (a collection, a compilation, another process)
 * make a run longer and never shorter. A run takes about a millisecond: a longer one is hardly ever left alone
 * on a busy machine. Not in processor time, which some kernels count in ticks of 4 ms.
 */
export function measureGrowth(size: number, prepare: (size: number) => () => unknown, enough = 3): number {
  const runWhole = prepare(size)
  const runHalf = prepare(size / 2)
  let half = Number.POSITIVE_INFINITY
  let whole = Number.POSITIVE_INFINITY
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    // This one first: what is not compiled yet must not make half the size look slow.
    whole = Math.min(whole, measureLeastMs(runWhole))
    half = Math.min(half, measureLeastMs(runHalf))
    if (attempt >= attemptsMin && whole / half < enough) break
  }
  return whole / half
}
