import type { CompanyLimits } from './config.ts'

const mebibyte = 1_048_576

/**
 * Default limits of a company on a demo that is reset each night, where anyone may be the owner of any company.
 */
export const publicDemoLimits: CompanyLimits = {
  sources: 50,
  connections: 100,
  members: 50,
  shape_versions: 100,
  cells: 200_000,
  stored_bytes: 64 * mebibyte,
  waiting_bytes: 64 * mebibyte,
  waiting_deliveries: 10_000,
}
