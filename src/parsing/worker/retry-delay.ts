/** How long a delivery that could not be parsed is left alone, in milliseconds; each time for twice as long. */
export const retryDelayMs = 1_000
/** The longest that it is left alone; it grows no further. Milliseconds. */
export const retryDelayMsMax = 60 * 60_000
