import { defineStatement } from '../define-statement.ts'
import { fromAccess } from '../schemas.ts'

export const awaitTurn = defineStatement<never, Record<never, never>>(
  'directory.await-turn',
  `select pg_advisory_xact_lock(7862693121) ${fromAccess}`,
)
