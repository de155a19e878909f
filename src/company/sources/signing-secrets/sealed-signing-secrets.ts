import { defineSealedTable } from '../../../platform/keys/sealed-table.ts'
import { signingSecretPlace } from '../../../platform/keys/signing-secret.ts'

export const sealedSigningSecrets = defineSealedTable<{
  company_id: string
  source_id: string
  secret_id: string
}>('webhook_secrets', 'sealed', { company_id: 'uuid', source_id: 'uuid', secret_id: 'uuid' }, (key) =>
  signingSecretPlace(key.source_id),
)
