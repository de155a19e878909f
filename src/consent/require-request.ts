import type { Context } from '../service/context.ts'
import { invalidArgument } from '../http/errors.ts'
import { validateRequest, type RequestOutcome } from '../oauth/authorize/validate-request.ts'

/**
 * The request of a page that is already open. It was valid when the page was served; the app may have been removed
 * since.
 *
 * @throws 400 with field `query` where the browser may not be sent back to the app
 */
export async function requireRequest(
  context: Pick<Context, 'pool' | 'clock' | 'config'>,
  query: string,
): Promise<Exclude<RequestOutcome, { kind: 'own_page' }>> {
  const outcome = await validateRequest(context, query)
  if (outcome.kind === 'own_page') {
    throw invalidArgument('It names no registered app, or no address of its own.', 'query')
  }
  return outcome
}
