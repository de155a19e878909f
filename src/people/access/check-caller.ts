/**
 * The checks between authentication and the source, in the order of [push.order]. Pure: everything they need has been
 * looked up, and the tokens of the call are consumed.
 */
import type { Permission } from '../../platform/http/contract.ts'
import { referenceClientId } from '../../platform/http/docs-origin.ts'
import { ApiError, invalidArgument, notFound } from '../../platform/http/errors/errors.ts'
import { rateLimited } from '../../platform/rate-limit/rate-limited.ts'
import type { Admission, AdmittedRate } from './admission.ts'
import { appMay } from './app-permissions.ts'
import type { Caller } from './find-caller.ts'
import { requireWithinLimits } from './reached-limit.ts'

/** What the route needs (`contract.ts`). */
export interface AccessRequirement {
  permission: Permission | Permission[]
  source: 'required' | 'none'
  /** `any`: the call is about all companies of the connection, so it need not name one of several. */
  company?: 'one' | 'any'
  /** The address is that of the tools for assistants, which tokens may be for alone. */
  isTools?: boolean
}

/** Gives the value of `WWW-Authenticate` for the call's path. */
export type Challenge = (details: {
  error?: 'invalid_token' | 'insufficient_scope'
  scope?: string
}) => string

interface CallerCheck {
  caller: Caller
  requirement: AccessRequirement
  /** The call's `orgnr` in its stored form; null if there is none or it cannot be parsed. */
  orgnr: string | null
  /** The same for the call's `source_id`. */
  sourceId: string | null
  /** The query's values as received; undefined if it has none. */
  query: { orgnr: unknown; sourceId: unknown }
  fromDocs: boolean
  challenge: Challenge
  /** What the tokens for the tools for assistants name (RFC 8707). */
  toolsResource: string
}

/** One sentence for every credential that opens nothing, so that it does not reveal which of them exist. */
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

/**
 * A token for the tools alone opens nothing else, and a token that another server has too does not open the tools (RFC 8707;
 * MCP, "Token Audience Binding and Validation").
 */
function checkResource({ caller: { row }, requirement, toolsResource, challenge }: CallerCheck): void {
  const resources = row.resources ?? []
  const isForTools = resources.includes(toolsResource)
  if (requirement.isTools === true ? isForTools || resources.length === 0 : !isForTools) return
  throw unauthenticated(challenge, true, 'The token is for another resource: request one for this address.')
}

/** Whether it reads real data: of apps, only the reference's own does not, and that exists only on demo deployments. */
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

/** A company that has reached a limit can still be read. */
function checkLimits({ caller: { row }, requirement }: CallerCheck): void {
  if (requirement.permission === 'sources.ingest') requireWithinLimits(row.over_limit)
}

/** An app reads at most what its member may read at this moment (specification, "What a delegated token can do"). */
function getPermissions({ row }: Caller): string[] {
  return row.kind === 'delegated'
    ? row.permissions.filter((one) => appMay(one, row.role ?? null))
    : row.permissions
}

function checkPermission({ caller, requirement, challenge }: CallerCheck): void {
  const permissions = getPermissions(caller)
  const needed = [requirement.permission].flat()
  if (needed.some((one) => permissions.includes(one))) return
  throw new ApiError(
    'permission_denied',
    `The connection lacks the permission ${needed.join(' or ')}: use one that has it.`,
    {
      headers: { 'WWW-Authenticate': challenge({ error: 'insufficient_scope', scope: needed.join(' ') }) },
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
  // An app may be left with no company.
  if (row.company_id === null) {
    throw notFound(
      query.orgnr === undefined
        ? 'There is no company left that this caller may act on.'
        : 'orgnr names no company that this caller may act on.',
    )
  }
}

function checkSource({ caller: { row, source }, requirement, sourceId, query }: CallerCheck): void {
  if (requirement.source === 'none') return
  if (query.sourceId !== undefined && sourceId === null) {
    throw invalidArgument(
      'source_id is not a UUID: 32 digits and 4 dashes, without braces or quotes.',
      'source_id',
    )
  }
  if (sourceId === null && row.kind === 'delegated') {
    if (source !== undefined) return
    throw invalidArgument('The company has not exactly one source; name one with source_id.', 'source_id')
  }
  if (sourceId === null && row.bound_source_id === null) {
    throw invalidArgument('The connection is bound to no source; name one with source_id.', 'source_id')
  }
  const isOther = row.bound_source_id !== null && sourceId !== null && sourceId !== row.bound_source_id
  if (isOther || source === undefined) throw notFound('source_id names no source that this caller may use.')
}

const checks = [
  checkAuthenticated,
  checkResource,
  checkDocsOrigin,
  checkRate,
  checkLimits,
  checkPermission,
  checkCompany,
  checkSource,
] as const

/** @throws ApiError of the first check that fails */
export function checkCaller(check: CallerCheck): Admission {
  for (const run of checks) run(check)
  const { row, source, rate } = check.caller
  const { limit, remaining, resetSeconds } = rate as AdmittedRate
  return {
    connectionId: row.connection_id!,
    kind: row.kind,
    memberId: row.member_id ?? null,
    clientId: row.client_id ?? null,
    sandbox: row.kind === 'sandbox',
    permissions: getPermissions(check.caller),
    boundSourceId: row.bound_source_id,
    company:
      row.company_id === null
        ? undefined
        : {
            companyId: row.company_id,
            shard: row.shard,
            orgnr: row.orgnr,
            name: row.company_name,
            timeZone: row.time_zone,
          },
    source:
      check.requirement.source === 'none' || source === undefined
        ? undefined
        : {
            sourceId: source.source_id!,
            name: source.name,
            channel: source.channel,
            format: source.format,
            delivers: source.delivers,
            shapeVersion: source.shape_version,
            paused: source.paused,
            projectionId: source.projection_id,
            samplesVersion: source.samples_version,
          },
    rate: { limit, remaining, resetSeconds },
  }
}
