/** `npm run test:full` sets it. */
export const isFull = process.env['NUMERA_TESTS'] === 'full'

/**
 * How many made-up cases fast-check tries, of those that are tried in full: where somebody waits for the tests it is a
 * quarter. Each run makes up others, so that all of them come up in time.
 */
export const madeUpCases = (inFull: number): number => (isFull ? inFull : Math.ceil(inFull / 4))
