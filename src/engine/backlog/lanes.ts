/**
 * The backlog's lanes, by their numbers in `backlog.lane`: new deliveries, small or large; rebuilds, small or large;
 * and what was tried before, which has a `not_before`. A round serves one lane, so that what is large, rebuilt or in
 * trouble never holds up what is small and new.
 */
export const lanes = { small: 0, large: 1, smallRebuild: 2, largeRebuild: 3, retry: 4 } as const

export type Lane = keyof typeof lanes

/**
 * The largest content of a small delivery, in bytes. Small ones as stored share statements with each other; small ones
 * before compression have a thread in each process that parses nothing else.
 */
export const smallDeliveryBytesMax = 64 * 1024

/** SQL for the lane of a row that was not tried yet: whoever writes such a row sets `lane` to it. */
export function laneOf(projectionId: string, contentBytes: string): string {
  const bySize = (small: number, large: number): string =>
    `case when ${contentBytes} <= ${smallDeliveryBytesMax} then ${small} else ${large} end`
  return `
    case
      when ${projectionId} = 0 then ${bySize(lanes.small, lanes.large)}
      else ${bySize(lanes.smallRebuild, lanes.largeRebuild)}
    end`
}

/** Deliveries in these lanes may cost a worker its memory or its time, so an attempt is stored before it is made. */
export const isMarkedLane: Record<Lane, boolean> = {
  small: false,
  large: true,
  smallRebuild: false,
  largeRebuild: true,
  retry: true,
}

/** The order in which a worker of all lanes serves them, a round each; an empty lane is skipped. */
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
