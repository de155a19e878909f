import { defineSealedTable } from '../keys/sealed-table.ts'
import { takeSessionsUnder, updateSealedSessions } from './queries.ts'
import { sessionPlace } from './session.ts'

export const sealedSessions = defineSealedTable({
  table: 'sessions',
  take: takeSessionsUnder,
  placeOf: (row) => sessionPlace(row.session_hash),
  put: (on, rows) =>
    updateSealedSessions.run(on, {
      keys: rows.map((row) => row.session_hash),
      sealed: rows.map((row) => row.sealed),
    }),
})
