/**
 * The checks between authentication and the source, in the order of [push.order]. Pure: everything they
 * look at has been looked up, and the tokens of the call are taken.
 */
import type { Permission } from '../http/contract.ts'
import { referenceClientId } from '../http/docs-origin.ts'
import { ApiError, invalidArgument, notFound } from '../http/errors.ts'
import { rateLimited } from '../rate-limit/rate-limited.ts'
import { requireWithinLimits } from './reached-limit.ts'
import type { Admission, AdmittedRate } from './admission.ts'
import type { Caller } from './look-up.ts'
import { appMay } from './role-permissions.ts'

/** What the route needs (`contract.ts`). */
export interface AccessRequirement {
  permission: Permission | Permission[]
  source: 'required' | 'none'
  /** `any`: the call is about all companies of the connection, so it need not name one of several. */
  company?: 'one' | 'any'
}

/** The query's values as they came; undefined where it has none. */
export interface CallQuery {
  orgnr: unknown
  sourceId: unknown
}

/** Gives the value of `WWW-Authenticate` for the call's path. */
export type Challenge = (details: {
  error?: 'invalid_token' | 'insufficient_scope'
  scope?: string
}) => string

export interface CallerCheck {
  caller: Caller
  requirement: AccessRequirement
  /** The call's `orgnr` in its stored form; null where there is none or it cannot be parsed. */
  orgnr: string | null
  /** The same for the call's `source_id`. */
  sourceId: string | null
  query: CallQuery
  fromDocs: boolean
  challenge: Challenge
}

/** One sentence for every credential that opens nothing, so that it does not tell which of them exist. */
export function unauthenticated(
  challenge: Challenge,
  sent: boolean,
  sentence = 'The credential is unknown, revoked, expired or not signed yet.',
): ApiError {
  return new ApiError('unauthenticated', sentence, {
    headers: { 'WWW-Authenticate': challenge(sent ? { error: 'invalid_token' } : {}) },
  })
}

function checkAuthenticated({ caller, challenge }: CallerCheck): void {
  if (caller.row.connection_id === null) throw unauthenticated(challenge, true)
}

/** What is read over it is real: of apps, the reference's own reads what a demo deployment has, and is on no other. */
function isProduction({ kind, client_id }: Caller['row']): boolean {
  return kind === 'production' || (kind === 'delegated' && client_id !== referenceClientId)
}

function checkDocsOrigin({ caller, fromDocs }: CallerCheck): void {
  if (fromDocs && isProduction(caller.row)) {
    throw new ApiError(
      'docs_origin_needs_sandbox',
      'From the API reference only a sandbox connection or the demo connection may call.',
    )
  }
}

function checkRate({ caller: { rate } }: CallerCheck): void {
  if (rate?.granted !== true) throw rateLimited(rate?.retryAfterSeconds ?? 1)
}

/** A company that holds as much as it may takes nothing more; it may still be read. */
function checkLimits({ caller: { row }, requirement }: CallerCheck): void {
  if (requirement.permission === 'sources.ingest') requireWithinLimits(row.over_limit)
}

/** An app reads at most what its member may read at this moment (specification, "What a delegated token can do"). */
function heldBy({ row }: Caller): string[] {
  return row.kind === 'delegated'
    ? row.permissions.filter((one) => appMay(one, row.role ?? null))
    : row.permissions
}

function checkPermission({ caller, requirement, challenge }: CallerCheck): void {
  const { permission } = requirement
  const permissions = heldBy(caller)
  // Nearly every route needs one.
  if (typeof permission === 'string' && permissions.includes(permission)) return
  const needed = [permission].flat()
  if (needed.some((one) => permissions.includes(one))) return
  const scope = needed.join(' ')
  throw new ApiError(
    'permission_denied',
    `The connection lacks the permission ${needed.join(' or ')}: use one that has it.`,
    {
      headers: { 'WWW-Authenticate': challenge({ error: 'insufficient_scope', scope }) },
    },
  )
}

function checkCompany({ caller: { row }, requirement, orgnr, query }: CallerCheck): void {
  if (query.orgnr === undefined) {
    if (requirement.company === 'any') return
    if (row.further_companies > 0) {
      throw invalidArgument('The connection acts on several companies; name one with orgnr.', 'orgnr')
    }
  } else if (orgnr === null)
    throw invalidArgument(
      'orgnr is not an organisation number: ten digits such as 559999-0016, of which the last is a check digit.',
      'orgnr',
    )
  // An app may be left with none, too.
  if (row.company_id === null) {
    throw notFound(
      query.orgnr === undefined
        ? 'There is no company left that this caller may act on.'
        : 'orgnr names no company that this caller may act on.',
    )
  }
}

function checkSource({ caller: { row }, requirement, sourceId, query }: CallerCheck): void {
  if (requirement.source === 'none') return
  if (query.sourceId !== undefined && sourceId === null) {
    throw invalidArgument(
      'source_id is not a UUID: 32 digits and 4 dashes, without braces or quotes.',
      'source_id',
    )
  }
  if (sourceId === null && row.kind === 'delegated') {
    if (row.source_id !== null) return
    throw invalidArgument('The company has not exactly one source; name one with source_id.', 'source_id')
  }
  if (sourceId === null && row.bound_source_id === null) {
    throw invalidArgument('The connection is bound to no source; name one with source_id.', 'source_id')
  }
  const isOther = row.bound_source_id !== null && sourceId !== null && sourceId !== row.bound_source_id
  if (isOther || row.source_id === null) throw notFound('source_id names no source that this caller may use.')
}

const checks = [
  checkAuthenticated,
  checkDocsOrigin,
  checkRate,
  checkLimits,
  checkPermission,
  checkCompany,
  checkSource,
] as const

/** Runs the checks; the first that fails throws an `ApiError`. */
export function checkCaller(check: CallerCheck): Admission {
  for (const run of checks) run(check)
  const { row, rate } = check.caller
  const { limit, remaining, resetSeconds } = rate as AdmittedRate
  return {
    connectionId: row.connection_id!,
    kind: row.kind,
    memberId: row.member_id ?? null,
    clientId: row.client_id ?? null,
    sandbox: row.kind === 'sandbox',
    permissions: heldBy(check.caller),
    boundSourceId: row.bound_source_id,
    company:
      row.company_id === null
        ? undefined
        : {
            companyId: row.company_id,
            orgnr: row.orgnr,
            name: row.company_name,
            timeZone: row.time_zone,
          },
    source:
      check.requirement.source === 'none'
        ? undefined
        : {
            sourceId: row.source_id!,
            name: row.source_name,
            deliveryWay: row.delivery_way,
            documentFormat: row.document_form,
            delivers: row.delivers,
            shapeVersion: row.shape_version,
            paused: row.paused,
            projectionId: row.projection_id,
            samplesVersion: row.samples_version,
          },
    rate: { limit, remaining, resetSeconds },
  }
}
