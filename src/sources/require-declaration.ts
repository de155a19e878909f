import { invalidArgument } from '../http/errors.ts'
import { checkDeclaration } from './check-declaration.ts'
import type { Declaration } from './declaration.ts'

/**
 * Lets a declaration pass that may be saved.
 *
 * @throws 400 `invalid_argument` with the first thing that is wrong
 */
export function requireDeclaration(declaration: Declaration): void {
  const fault = checkDeclaration(declaration, declaration.metrics)[0]
  if (fault !== undefined) throw invalidArgument(fault.message, fault.field)
}
