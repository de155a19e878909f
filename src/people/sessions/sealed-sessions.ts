import { defineSealedTable } from '../../platform/keys/sealed-table.ts'

/** The personal numbers of signed-in people. */
export const sealedSessions = defineSealedTable<{ session_hash: Buffer }>(
  'sessions',
  'personal_number_sealed',
  { session_hash: 'bytea' },
  (key) => `session:${key.session_hash.toString('hex')}`,
)
