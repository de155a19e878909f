/**
 * Says a figure beside what is wanted of it, as a row of the table that stands first in RESULTS.md (`run-all.ts`). One that
 * misses it is set off.
 */
export const sayInShort = (
  figure: string,
  reached: number,
  wanted: { atLeast: number } | { atMost: number },
  unit = '',
): void => {
  const missed = 'atLeast' in wanted ? reached < wanted.atLeast : reached > wanted.atMost
  const text = `${reached.toFixed(2).replace(/\.?0+$/, '')}${unit}`
  const limit = 'atLeast' in wanted ? `at least ${wanted.atLeast}${unit}` : `at most ${wanted.atMost}${unit}`
  process.stdout.write(`| ${figure} | ${missed ? `**${text}**` : text} | ${limit} |\n`)
}
