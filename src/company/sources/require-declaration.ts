import { invalidArgument } from '../../platform/http/errors/errors.ts'
import { aggregations } from '../../engine/aggregations/aggregations.ts'
import { checkDeclaration } from '../../engine/declarations/check-declaration.ts'
import type { Declaration } from '../../engine/declarations/declaration.ts'

/**
 * Lets a declaration pass that may be saved.
 *
 * @throws 400 `invalid_argument` with the first thing that is wrong
 */
export function requireDeclaration(declaration: Declaration): void {
  const fault = checkDeclaration(declaration, declaration.metrics, aggregations)[0]
  if (fault !== undefined) throw invalidArgument(fault.message, fault.field)
}
