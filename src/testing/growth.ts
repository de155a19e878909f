const attemptsMax = 8
/** A run that takes less says nothing: `run` is then repeated until it takes longer. Milliseconds. */
const runMsMin = 10

/** Processor time of this thread, in milliseconds: what else the machine does, does not make it longer. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

function timeOf(run: () => unknown): number {
  const started = processorMs()
  let runs = 0
  do {
    run()
    runs++
  } while (processorMs() - started < runMsMin)
  return (processorMs() - started) / runs
}

/**
 * How many times as much processor time `run` takes for twice the size: about 2 where it is proportional, 4 where it is
 * square. The least of some attempts, since a collection may fall into one of them; it stops at the first below `enough`.
 */
export function growthOf(size: number, run: (size: number) => unknown, enough = 3): number {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < attemptsMax && least >= enough; attempt++) {
    const half = timeOf(() => run(size / 2))
    least = Math.min(least, timeOf(() => run(size)) / half)
  }
  return least
}
