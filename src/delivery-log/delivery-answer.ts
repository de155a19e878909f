import type { LoggedDelivery, LoggedDeliveryInFull } from './logged-delivery.ts'

/** A delivery as the pages' API and the commands list it. */
export function deliveryAnswer(delivery: LoggedDelivery) {
  const { connection } = delivery
  return {
    artifact_id: delivery.artifactId,
    source_id: delivery.sourceId,
    channel: delivery.channel,
    format: delivery.format,
    key: delivery.key,
    connection: connection && { connection_id: connection.connectionId, name: connection.name },
    sandbox: delivery.sandbox,
    received_at: delivery.receivedAt,
    shape_version: delivery.shapeVersion,
    delivers: delivery.delivers,
    content_bytes: delivery.contentBytes,
    state: delivery.state,
    reason: delivery.reason,
    rows_accepted: delivery.rowsAccepted,
    rows_refused: delivery.rowsRefused,
    rows_date_alone: delivery.rowsDateAlone,
    missing_values: delivery.remarks.missing_values,
    rows_far_ahead: delivery.remarks.rows_far_ahead,
  }
}

/** The same with all that is known of it. */
export function deliveryInFullAnswer(delivery: LoggedDeliveryInFull) {
  return {
    ...deliveryAnswer(delivery),
    sha256: delivery.receivedSha256.toString('hex'),
    dropped_keys: delivery.droppedKeys,
    parsed_at: delivery.parsedAt,
    refusals: delivery.refusals,
    far_ahead: delivery.remarks.far_ahead,
    older_artifact_id: delivery.olderArtifactId,
    newer_artifact_id: delivery.newerArtifactId,
  }
}
