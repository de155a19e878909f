/** A statement in this time after the end of a period completes it: those of a weekly source come so late. */
const completedWithinDays = 8

/**
 * SQL: the receive number of the statement that completed a period, of the rows of `period_deliveries` about it that are aggregated:
 * the first one soon after its end, else the last before its end, else the first one. What replaces it after the end corrects
 * the period.
 *
 * @param endedAt SQL of the end of the period in the company's time zone, a `timestamptz`
 */
export function completedBy(endedAt: string): string {
  return `coalesce(
          min(period_deliveries.receive_number) filter (where period_deliveries.received_at >= ${endedAt}
            and period_deliveries.received_at < ${endedAt} + interval '${completedWithinDays} days'),
          max(period_deliveries.receive_number) filter (where period_deliveries.received_at < ${endedAt}),
          min(period_deliveries.receive_number)
        )`
}
