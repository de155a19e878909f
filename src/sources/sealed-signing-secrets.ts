import { defineSealedTable } from '../keys/sealed-table.ts'
import { takeSigningSecretsUnder, updateSealedSigningSecrets } from './queries.ts'
import { signingSecretPlace } from './signing-secret.ts'

export const sealedSigningSecrets = defineSealedTable({
  table: 'webhook_secrets',
  take: takeSigningSecretsUnder,
  placeOf: (row) => signingSecretPlace(row.source_id),
  put: (on, rows) =>
    updateSealedSigningSecrets.run(on, [
      rows.map((row) => row.company_id),
      rows.map((row) => row.source_id),
      rows.map((row) => row.secret_id),
      rows.map((row) => row.sealed),
    ]),
})
