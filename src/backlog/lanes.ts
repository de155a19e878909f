/**
 * The backlog's lanes, as the column `backlog.lane` has them. Workers serve one in a round, so that what is
 * large, rebuilt or in trouble never stands in front of what is small and new.
 */
export const lanes = { small: 0, large: 1, smallRebuild: 2, largeRebuild: 3, retry: 4 } as const

export type Lane = keyof typeof lanes

/**
 * Content of a delivery up to which it is small, in bytes before compression: one thread of each process reads nothing
 * else. Larger ones are read by the other threads.
 */
export const smallDeliveryBytesMax = 64 * 1024

/** What is in these is dangerous to a reader's memory or time: that it is tried is written down before. */
export const isMarkedLane: Record<Lane, boolean> = {
  small: false,
  large: true,
  smallRebuild: false,
  largeRebuild: true,
  retry: true,
}

/** A worker of all lanes goes through them in this order, round by round; where one is empty it takes the next that is not. */
export const laneCycle: readonly Lane[] = [
  'small',
  'large',
  'small',
  'smallRebuild',
  'large',
  'small',
  'largeRebuild',
  'retry',
]
