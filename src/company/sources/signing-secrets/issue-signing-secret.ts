import type { Context } from '../../../context.ts'
import type { Queryable } from '../../../platform/database/pool.ts'
import { uuidv7 } from '../../../formats/values/uuidv7.ts'
import { insertSigningSecret } from './queries.ts'
import { newSigningSecret, sealSigningSecret } from '../../../platform/keys/signing-secret.ts'

/**
 * Creates the signing secret of a source that has no current one. The caller has locked the source.
 *
 * @returns the secret, to be shown once; only its sealed form is stored
 */
export async function issueSigningSecret(
  { keys, clock }: Pick<Context, 'keys' | 'clock'>,
  on: Queryable,
  companyId: string,
  sourceId: string,
): Promise<string> {
  const secret = newSigningSecret()
  const now = clock.now()
  const sealed = sealSigningSecret(keys.master, secret, sourceId)
  await insertSigningSecret.run(on, {
    companyId,
    sourceId,
    secretId: uuidv7(now),
    sealed,
    createdAt: new Date(now),
  })
  return secret
}
