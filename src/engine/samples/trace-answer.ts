import { formatEventTime } from './format-event-time.ts'
import type { Trace, TraceRequest } from './trace-sample.ts'

/** A cell and its trace, as the API and the commands return it. */
export function traceAnswer(cell: TraceRequest, trace: Trace) {
  return {
    source_id: cell.sourceId,
    metric: cell.metric,
    period_start: cell.periodStart,
    labels: trace.labels,
    sandbox: cell.sandbox,
    value: trace.value,
    restated: trace.restated,
    owner_artifact_id: trace.ownerArtifactId,
    deliveries: trace.deliveries.items.map((delivery) => ({
      artifact_id: delivery.artifactId,
      received_at: delivery.receivedAt,
      value: delivery.value,
      rows: delivery.rows,
      added: delivery.added,
      event_at: delivery.eventAt === null ? null : formatEventTime(delivery.eventAt),
      superseded: delivery.superseded,
      step: delivery.step,
      running: delivery.running,
    })),
    next_cursor: trace.deliveries.nextCursor,
  }
}
