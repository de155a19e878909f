import type { CombinedSample } from '../../engine/parsing/aggregate/combine.ts'
import { storedAnswer } from '../../company/sources/to-source-answer.ts'
import type { Preview, PreviewedDelivery } from './preview-deliveries.ts'
import type { ReadExample } from './read-example.ts'
import type { SavingEffect } from './saving-effect.ts'

/** The proposal for an example as the console API has it. */
export function exampleAnswer(example: ReadExample) {
  return {
    format: example.format,
    encoding: example.encoding,
    rows: example.rows,
    fields: example.fields.map(({ personalGuess, ...field }) => ({
      ...field,
      personal_guess: personalGuess,
    })),
    event_time: example.eventTime,
    warnings: example.warnings,
  }
}

/** A preview as the console API has it. */
export function previewAnswer(
  preview: Preview,
  about: { of: 'example' | 'deliveries' | 'delivery'; sandbox: boolean; saving: SavingEffect | null },
) {
  const { of, sandbox, saving } = about
  const accepted = preview.deliveries.reduce((sum, delivery) => sum + delivery.rowsAccepted, 0)
  const refused = preview.deliveries.reduce((sum, delivery) => sum + delivery.rowsRefused, 0)
  return {
    of,
    sandbox,
    deliveries: preview.deliveries.map(deliveryAnswer),
    complete: preview.complete,
    rows_read: accepted + refused,
    rows_accepted: accepted,
    rows_refused: refused,
    metrics: preview.metrics.map(({ metric, aggregation, rowsLeftOut }) => {
      return { metric, aggregation, rows_left_out: rowsLeftOut }
    }),
    samples: preview.samples.map(sampleAnswer),
    samples_truncated: preview.samplesTruncated,
    compared: preview.compared && {
      rows_refused: preview.compared.rowsRefused,
      rows_newly_accepted: preview.compared.rowsNewlyAccepted,
      rows_newly_refused: preview.compared.rowsNewlyRefused,
    },
    saving: saving && {
      creates_version: saving.createsVersion,
      rebuilds: saving.rebuilds,
      stored: storedAnswer(saving.stored),
    },
  }
}

function deliveryAnswer(delivery: PreviewedDelivery) {
  return {
    artifact_id: delivery.artifactId,
    idempotency_key: delivery.idempotencyKey,
    received_at: delivery.receivedAt,
    state: delivery.state,
    reason: delivery.reason,
    dropped_keys: delivery.droppedKeys,
    rows_accepted: delivery.rowsAccepted,
    rows_refused: delivery.rowsRefused,
    rows_date_alone: delivery.rowsDateAlone,
    ...delivery.remarks,
    refusals: delivery.refusals,
  }
}

function sampleAnswer({ metric, periodStart, value, labels, rows, restated }: CombinedSample) {
  return {
    metric,
    period_start: periodStart,
    value,
    labels: JSON.parse(labels) as Record<string, string>,
    rows,
    restated,
  }
}
