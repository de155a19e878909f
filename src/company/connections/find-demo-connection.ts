import type { DirectoryContext } from '../../context.ts'
import { hashSecret } from '../../platform/keys/secrets.ts'
import { formatOrgnr } from '../../formats/values/orgnr.ts'
import { selectDemoCredential } from './queries.ts'

/** The company of the demo connection, whose made-up numbers are public. */
export interface DemoConnection {
  companyId: string
  /** As it is displayed. */
  orgnr: string
}

/** The demo connection that this credential opens now: only a demo deployment has one [demo.deployment]. */
export async function findDemoConnection(
  { pool, clock }: Pick<DirectoryContext, 'pool' | 'clock'>,
  credential: string,
): Promise<DemoConnection | undefined> {
  const row = await selectDemoCredential.first(pool, {
    credentialHash: hashSecret(credential),
    at: new Date(clock.now()),
  })
  return row && { companyId: row.company_id, orgnr: formatOrgnr(row.orgnr) }
}
