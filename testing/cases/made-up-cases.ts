/** `npm run test:full` sets it. */
export const isFull = process.env['NUMERA_TESTS'] === 'full'

/**
 * The number of generated cases that fast-check tries: a sixth of all in `npm test`. Each run
 * generates others, so all of them come up in time.
 */
export const madeUpCases = (inFull: number): number => (isFull ? inFull : Math.ceil(inFull / 6))
