import { defineStatement } from '../../platform/database/define-statement.ts'

/** Run before a read and in its snapshot, on standbys and where pages must agree; no row if the read would give another answer. */

export interface BasisRow {
  /** False after a promotion: then its history is no longer that of the primary. */
  is_standby: boolean
}

export type SamplesVersionParams = {
  companyId: string
  sourceId: string
  projectionId: number
  samplesVersion: string
}

/** A source's current samples are at this version. */
export const findSamplesVersion = defineStatement<BasisRow, SamplesVersionParams>(
  'samples.find-version',
  `
  select pg_is_in_recovery() as is_standby
  from projections
  where projections.company_id = $companyId::uuid and projections.source_id = $sourceId::uuid
    and projections.projection_id = $projectionId::int4 and projections.samples_version = $samplesVersion::int8
    and projections.state = 'current'`,
)

/** All of these deliveries of a company are there. */
export const findDeliveries = defineStatement<
  BasisRow,
  { companyId: string; artifactIds: Buffer; count: number }
>(
  'samples.find-deliveries',
  `
  select pg_is_in_recovery() as is_standby
  where (
    select count(*)
    from deliveries
    where deliveries.company_id = $companyId::uuid and deliveries.artifact_id = any ($artifactIds::uuid[])
  ) = $count::int8`,
)
