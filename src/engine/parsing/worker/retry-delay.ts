/** How long a delivery that could not be parsed is left alone, in milliseconds; twice as long each time. */
export const retryDelayMs = 1_000
/** The longest that it is left alone, in milliseconds. */
export const retryDelayMsMax = 60 * 60_000
