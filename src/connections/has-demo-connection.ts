import type { Context } from '../service/context.ts'
import { hashSecret } from '../keys/secrets.ts'
import { selectDemoCredential } from './queries.ts'

/** Whether this credential opens a demo connection now: only a demo deployment has one [demo.deployment]. */
export async function hasDemoConnection(
  { pool, clock }: Pick<Context, 'pool' | 'clock'>,
  credential: string,
): Promise<boolean> {
  const row = await selectDemoCredential.first(pool, {
    credentialHash: hashSecret(credential),
    at: new Date(clock.now()),
  })
  return row !== undefined
}
