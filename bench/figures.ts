/** The measurements of benchmarks, and their output. */

export const print = (line: string): void => void process.stdout.write(`${line}\n`)

export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!

/** @returns milliseconds */
export const timed = async (run: () => unknown): Promise<number> => {
  const startedMs = performance.now()
  await run()
  return performance.now() - startedMs
}

/** The figures of several rounds, by name. */
export class Figures {
  readonly #values = new Map<string, number[]>()

  add(name: string, value: number): void {
    this.#values.set(name, [...(this.#values.get(name) ?? []), value])
  }

  last(name: string): number {
    return this.#values.get(name)!.at(-1)!
  }

  median(name: string): number {
    return median(this.#values.get(name)!)
  }
}

/**
 * Prints a figure with its target, as a row of the table at the top of RESULTS.md (`run-all.ts`). A missed target is in
 * bold type.
 */
export const printTarget = (
  figure: string,
  reached: number,
  target: { atLeast: number } | { atMost: number },
  unit = '',
): void => {
  const isMissed = 'atLeast' in target ? reached < target.atLeast : reached > target.atMost
  const text = `${reached.toFixed(2).replace(/\.?0+$/, '')}${unit}`
  const limit = 'atLeast' in target ? `at least ${target.atLeast}${unit}` : `at most ${target.atMost}${unit}`
  print(`| ${figure} | ${isMissed ? `**${text}**` : text} | ${limit} |`)
}
