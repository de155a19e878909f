import type { Contract, ErrorUse } from './contract.ts'
import { errorGuide } from './error-guide.ts'
import type { ErrorCode } from './errors.ts'

const standing = (code: ErrorCode, when?: string, status?: number): ErrorUse => ({
  code,
  when: when ?? errorGuide[code].when,
  ...(status === undefined ? {} : { status }),
})

/** What every route may answer, whoever calls it. */
const always: ErrorUse[] = [
  standing(
    'invalid_argument',
    'The request is malformed, or not as described here; `field` names what to fix.',
  ),
  standing('internal', 'Something went wrong inside the service. Safe to send again, with the same key.'),
  standing('internal', 'The service cannot take this now. Safe to send again, with the same key.', 503),
]

/** What a guard adds. A route lists under `errors` what is its own. */
const byGuard: Record<Contract['guard'], ErrorUse[]> = {
  bearer: [
    standing('credential_in_url'),
    standing('unauthenticated'),
    standing('permission_denied'),
    standing('docs_origin_needs_sandbox'),
    standing('rate_limited'),
  ],
  session: [
    standing('unauthenticated', 'Nobody is signed in.'),
    standing('permission_denied', "The member's role does not allow it."),
  ],
  signature: [standing('credential_in_url'), standing('rate_limited')],
  client: [],
  none: [],
}

const notFoundFor = (contract: Contract): ErrorUse[] =>
  contract.guard === 'bearer' && contract.source === 'required'
    ? [
        standing(
          'not_found',
          "The source is not the company's, or the connection has nothing on the company.",
        ),
      ]
    : []

/** Every error of a route. What the route says of a code and status takes the place of the standing text. */
export const errorsOf = (contract: Contract): ErrorUse[] => {
  const own = contract.errors ?? []
  const added = [...byGuard[contract.guard], ...notFoundFor(contract), ...always].filter(
    ({ code, status }) => !own.some((error) => error.code === code && error.status === status),
  )
  return [...own, ...added]
}
