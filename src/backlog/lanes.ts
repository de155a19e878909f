/**
 * The backlog's lanes, as the column `backlog.lane` has them. Workers serve one in a round, so that what is
 * large, rebuilt or in trouble never stands in front of what is small and new.
 */
export const lanes = { small: 0, large: 1, smallRebuild: 2, largeRebuild: 3, retry: 4 } as const

export type Lane = keyof typeof lanes

/**
 * Content of a delivery up to which it is small, in bytes. By what is stored of it, it shares a statement with other small
 * ones; by its size before compression, it is parsed by a thread of each process that parses nothing else.
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
