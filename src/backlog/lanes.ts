/**
 * The backlog's lanes, by their numbers in `backlog.lane`: new deliveries, small or large; rebuilds, small or large; and
 * what was tried before, which has a `not_before`. Workers serve one lane in a round, so that what is large, rebuilt or in
 * trouble never stands in front of what is small and new.
 */
export const lanes = { small: 0, large: 1, smallRebuild: 2, largeRebuild: 3, retry: 4 } as const

export type Lane = keyof typeof lanes

/**
 * Content of a delivery up to which it is small, in bytes. By what is stored of it, it shares a statement with other small
 * ones; by its size before compression, it is parsed by a thread of each process that parses nothing else.
 */
export const smallDeliveryBytesMax = 64 * 1024

/** SQL for the lane of a row that was not tried yet. Every statement that writes such a row sets `lane` to it. */
export function laneOf(projectionId: string, contentBytes: string): string {
  return `
    case
      when ${projectionId} = 0
        then case when ${contentBytes} <= ${smallDeliveryBytesMax} then ${lanes.small} else ${lanes.large} end
      else case when ${contentBytes} <= ${smallDeliveryBytesMax} then ${lanes.smallRebuild} else ${lanes.largeRebuild} end
    end`
}

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
