import { defineSealedTable } from '../keys/sealed-table.ts'
import { takeSigningSecretsUnder, updateSealedSigningSecrets } from './queries.ts'
import { signingSecretPlace } from './signing-secret.ts'

export const sealedSigningSecrets = defineSealedTable({
  table: 'webhook_secrets',
  take: takeSigningSecretsUnder,
  placeOf: (row) => signingSecretPlace(row.source_id),
  put: (on, rows) =>
    updateSealedSigningSecrets.run(on, {
      companyIds: rows.map((row) => row.company_id),
      sourceIds: rows.map((row) => row.source_id),
      secretIds: rows.map((row) => row.secret_id),
      sealed: rows.map((row) => row.sealed),
    }),
})
