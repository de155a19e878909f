/**
 * The backlog's queues, by their numbers in `backlog.queue`: new deliveries, small or large; rebuilds, small or large;
 * and what was tried before, which has a `not_before`. A round serves one queue, so that what is large, rebuilt or in
 * trouble never delays what is small and new.
 */
export const queues = { small: 0, large: 1, smallRebuild: 2, largeRebuild: 3, retry: 4 } as const

export type Queue = keyof typeof queues

/**
 * The largest content of a small delivery, in bytes. Small ones as stored share statements with each other; small ones
 * before compression have a thread in each process that parses nothing else.
 */
export const smallDeliveryBytesMax = 64 * 1024

/** SQL for the queue of a row that was not tried yet: a statement that inserts such a row sets `queue` to it. */
export function selectQueue(projectionId: string, contentBytes: string): string {
  const bySize = (small: number, large: number): string =>
    `case when ${contentBytes} <= ${smallDeliveryBytesMax} then ${small} else ${large} end`
  return `
    case
      when ${projectionId} = 0 then ${bySize(queues.small, queues.large)}
      else ${bySize(queues.smallRebuild, queues.largeRebuild)}
    end`
}

/** Deliveries in these queues may cost a worker its memory or its time, so an attempt is stored before it begins. */
export const isMarkedQueue: Record<Queue, boolean> = {
  small: false,
  large: true,
  smallRebuild: false,
  largeRebuild: true,
  retry: true,
}

/** The order in which a worker of all queues serves them, a round each; an empty queue is skipped. */
export const queueCycle: readonly Queue[] = [
  'small',
  'large',
  'small',
  'smallRebuild',
  'large',
  'small',
  'largeRebuild',
  'retry',
]
