import type { Context } from '../service/context.ts'
import { hashSecret } from '../keys/secrets.ts'
import { formatOrgnr } from '../values/orgnr.ts'
import { selectDemoCredential } from './queries.ts'

/** The company of a demo connection, whose numbers are made up and open to everybody. */
export interface DemoConnection {
  companyId: string
  /** As it is shown. */
  orgnr: string
}

/** The demo connection that this credential opens now: only a demo deployment has one [demo.deployment]. */
export async function findDemoConnection(
  { pool, clock }: Pick<Context, 'pool' | 'clock'>,
  credential: string,
): Promise<DemoConnection | undefined> {
  const row = await selectDemoCredential.first(pool, {
    credentialHash: hashSecret(credential),
    at: new Date(clock.now()),
  })
  return row && { companyId: row.company_id, orgnr: formatOrgnr(row.orgnr) }
}
