import type { Contract, ErrorUse } from '../contract.ts'
import { errorGuide } from './error-guide.ts'
import type { ErrorCode } from './errors.ts'
import { isMemberWrite } from '../requests/is-write.ts'

function use(code: ErrorCode, when = errorGuide[code].when): ErrorUse {
  return { code, when }
}

/** With a message that fits any route. */
function useAnywhere(code: ErrorCode, when: string, message: string, status?: number): ErrorUse {
  return {
    ...use(code, when),
    ...(status === undefined ? {} : { status }),
    examples: { [code]: { value: { code, message } } },
  }
}

/** What every route may answer, to any caller. */
const always: ErrorUse[] = [
  useAnywhere(
    'invalid_argument',
    'The request is malformed, or not as described here; `field` names what to fix.',
    'The address is not a valid URL: percent-encode what is not a letter, digit or dash.',
  ),
  useAnywhere(
    'internal',
    'Something went wrong inside the service. Safe to send again, with the same key.',
    'Something went wrong inside the service; send it again.',
  ),
  useAnywhere(
    'internal',
    'The service cannot take this now. Safe to send again, with the same key.',
    'The service cannot take this now; send it again.',
    503,
  ),
]

/** What a guard adds. A route lists its own under `errors`. */
const byGuard: Record<Contract['guard'], ErrorUse[]> = {
  bearer: [
    use('credential_in_url'),
    use('unauthenticated'),
    use('permission_denied'),
    use('docs_origin_needs_sandbox'),
    use('rate_limited'),
  ],
  session: [
    use('unauthenticated', 'No one is signed in.'),
    use('permission_denied', "The member's role does not allow it."),
  ],
  signature: [use('credential_in_url'), use('rate_limited')],
  client: [],
  none: [],
}

function notFoundFor(contract: Contract): ErrorUse[] {
  if (contract.guard === 'bearer' && contract.source === 'required') {
    return [
      use('not_found', "The source is not the company's, or the connection has nothing on the company."),
    ]
  }
  // An address of the pages' API that names something.
  if (contract.api !== 'console' || contract.params === undefined) return []
  return contract.guard === 'session'
    ? [use('not_found', 'You are no member of such a company, or there is nothing of that id for you.')]
    : [use('not_found')]
}

/** A company that is to be deleted is not changed (`requireKept`). */
function conflictFor(contract: Contract, method: string): ErrorUse[] {
  const isOfCompany =
    'company_id' in ((contract.params as { properties?: object } | undefined)?.properties ?? {})
  return isMemberWrite(contract, method) && isOfCompany
    ? [use('conflict', 'The company is to be deleted, and this would change it.')]
    : []
}

/** Every error of a route. What the route says of a code and status takes the place of the default text. */
export function getErrors(contract: Contract, method: string): ErrorUse[] {
  const own = contract.errors ?? []
  const ofWrites = isMemberWrite(contract, method) ? [use('rate_limited', 'You sent too many changes.')] : []
  const added = [
    ...byGuard[contract.guard],
    ...ofWrites,
    ...notFoundFor(contract),
    ...conflictFor(contract, method),
    ...always,
  ].filter(({ code, status }) => !own.some((error) => error.code === code && error.status === status))
  return [...own, ...added]
}
