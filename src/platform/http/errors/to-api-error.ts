import { isCutShort, isDatabaseUnavailable } from '../../database/is-database-unavailable.ts'
import { OverloadedError } from '../../database/overloaded-error.ts'
import { ApiError, invalidArgument, notFound } from './errors.ts'

/** The answer to an error, and whether it is a fault of the service to investigate. */
export interface ErrorAnswer {
  error: ApiError
  /** `refusal`: the caller's error. `unavailable`: the database is unavailable, or the service overloaded. `fault`: ours. */
  kind: 'refusal' | 'unavailable' | 'fault'
}

/** Long enough for a database to be back after a switch-over, short enough for a queue to wait. */
const retryAfterSeconds = '2'

/** 503 `internal`: not now. */
export function unavailable(message: string): ApiError {
  return new ApiError('internal', message, { status: 503, headers: { 'Retry-After': retryAfterSeconds } })
}

function unavailableAnswer(): ApiError {
  return unavailable('The service cannot take this now; send it again.')
}

/** The one sentence for a fault of ours: it says nothing about the inside. */
export function faultAnswer(): ApiError {
  return new ApiError('internal', 'Something went wrong inside the service; send it again.')
}

interface FrameworkError extends Error {
  code?: string
  statusCode?: number
  validationContext?: string
  validation?: { instancePath?: string; message?: string; params?: Record<string, unknown> }[]
}

/** `/fields/0/name` → `fields.0.name`; a missing or unknown member is named itself. */
function toFieldName(problem: NonNullable<FrameworkError['validation']>[number]): string | undefined {
  const parts = (problem.instancePath ?? '')
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const member = problem.params?.['missingProperty'] ?? problem.params?.['additionalProperty']
  if (typeof member === 'string') parts.push(member)
  return parts.length === 0 ? undefined : parts.join('.')
}

const places: Record<string, string> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'headers',
}

/** From the framework's schema check: the first thing wrong. */
function fromValidation(error: FrameworkError): ApiError {
  const problem = error.validation![0]!
  // An id in a path that is not even a uuid is an unknown id [all.404].
  if (error.validationContext === 'params') return notFound()
  const field = toFieldName(problem)
  const place = places[error.validationContext ?? 'body'] ?? 'body'
  return invalidArgument(
    `The ${place} is not as described: ${problem.message ?? 'it is wrong'}.`,
    field ?? place,
  )
}

/** From errors that the framework raises by itself, by their code. */
function fromFramework(error: FrameworkError): ApiError | undefined {
  switch (error.code) {
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return notFound()
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_INVALID_URL':
      return invalidArgument(
        'The address is not a valid URL: percent-encode what is not a letter, digit or dash.',
      )
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError(
        'unsupported_media_type',
        'This address does not accept that Content-Type; send application/json.',
      )
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return invalidArgument('The body is not valid JSON.', 'body')
    default:
      break
  }
  const status = error.statusCode
  if (status === undefined || status < 400 || status >= 500) return undefined
  // The framework's own wording may hold what the caller sent.
  return status === 400 && error instanceof SyntaxError
    ? invalidArgument('The body is not valid JSON.', 'body')
    : new ApiError('invalid_argument', 'The request is not one that this address takes.', { status })
}

/** Turns anything thrown into an answer [all.404], [all.500]. */
export function answerFor(thrown: unknown): ErrorAnswer {
  if (thrown instanceof ApiError) {
    return {
      error: thrown,
      kind: thrown.status < 500 ? 'refusal' : thrown.status === 503 ? 'unavailable' : 'fault',
    }
  }
  if (thrown instanceof OverloadedError || isDatabaseUnavailable(thrown) || isCutShort(thrown))
    return { error: unavailableAnswer(), kind: 'unavailable' }
  if (thrown instanceof Error) {
    const error = thrown as FrameworkError
    if (Array.isArray(error.validation) && error.validation.length > 0) {
      return { error: fromValidation(error), kind: 'refusal' }
    }
    const refused = fromFramework(error)
    if (refused !== undefined) return { error: refused, kind: 'refusal' }
  }
  return { error: faultAnswer(), kind: 'fault' }
}
