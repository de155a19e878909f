import { uuidArray } from '../../platform/database/binary-array.ts'
import type { Basis } from '../../platform/reads/read-on-basis.ts'
import { findDeliveries, findSamplesVersion, type SamplesVersionParams } from './basis-queries.ts'

/**
 * The version of a source's samples that was looked up for a call. Every transaction that changes its samples, or the
 * contributions behind them, gives them another version, so all that is made of these alone is the same at the same
 * version: samples, reports and traces, also as of an earlier instant. The projection's metrics never change.
 */
export function samplesVersionBasis(version: SamplesVersionParams): Basis {
  const { companyId, sourceId, projectionId, samplesVersion } = version
  return (on) => findSamplesVersion.first(on, { companyId, sourceId, projectionId, samplesVersion })
}

/** Stored deliveries of a company, which never change, and with them the source and the shape versions they were sent for. */
export function deliveriesBasis(companyId: string, artifactIds: readonly string[]): Basis {
  const params = { companyId, artifactIds: uuidArray([...artifactIds]), count: artifactIds.length }
  return (on) => findDeliveries.first(on, params)
}
