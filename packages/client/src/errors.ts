/** Details of an error, as far as the service gave them. */
export interface ErrorDetails {
  /** Undefined if there was no answer. */
  status?: number | undefined
  code?: string | undefined
  /** The parameter, header or member concerned. */
  field?: string | undefined
  /** The call's name in the service's log. */
  requestId?: string | undefined
  /** How many times the request was sent. */
  attempts?: number | undefined
  /** The address of the page about the code. */
  help?: string | undefined
  /** How long the service asked to wait. */
  retryAfterMs?: number | undefined
  cause?: unknown
}

/** Anything that a call ended with. There is a subclass for each code of the service. */
export class NumeraError extends Error {
  readonly status: number | undefined
  readonly code: string | undefined
  readonly field: string | undefined
  readonly requestId: string | undefined
  readonly attempts: number
  readonly help: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = new.target.name
    this.status = details.status
    this.code = details.code
    this.field = details.field
    this.requestId = details.requestId
    this.attempts = details.attempts ?? 0
    this.help = details.help
    this.retryAfterMs = details.retryAfterMs
  }
}

/** 400, or 413 for a push of more than 8,388,608 bytes; `field` names what to fix. */
export class InvalidArgument extends NumeraError {}
/** 400: rotate the credential, which is in logs by now. */
export class CredentialInUrl extends NumeraError {}
/** 401, for good: every later call of this client ends with it and sends nothing. */
export class CredentialRefused extends NumeraError {}
/** 403: the connection lacks the permission. */
export class PermissionDenied extends NumeraError {}
/** 403: only on the company's pages. */
export class SignInAgain extends NumeraError {}
/** 403: a production connection, used from the interactive reference. */
export class DocsOriginNeedsSandbox extends NumeraError {}
/** 403: the source accepts signed webhooks only. */
export class WebhookOnly extends NumeraError {}
/** 404 */
export class NotFound extends NumeraError {}
/** 405 */
export class MethodNotAllowed extends NumeraError {}
/** 409: nothing was stored. The client sends nothing more to this source until `resume`. */
export class SourcePaused extends NumeraError {}
/** 409: the key belongs to another body, whose delivery stays. */
export class KeyReused extends NumeraError {}
/** 409: what was read changed in between. */
export class Conflict extends NumeraError {}
/** 413 of a webhook. */
export class TooLarge extends NumeraError {}
/** 415 */
export class UnsupportedMediaType extends NumeraError {}
/** 429, after the last attempt; `retryAfterMs` says when to try again. */
export class RateLimited extends NumeraError {}
/** 500, 503 or 408, after the last attempt. The delivery may have been stored: send it again with the same key. */
export class Internal extends NumeraError {}
/**
 * No answer that the service would give, after the last attempt: no connection, a time-out, a redirect, something that is not JSON.
 * The delivery may have been stored: send it again with the same key.
 */
export class Unreachable extends NumeraError {}
/** The delivery was stored, but its content cannot be read as rows. */
export class UnreadableDelivery extends NumeraError {}
/** The delivery was not parsed in the time allowed. It is stored. */
export class NotParsedYet extends NumeraError {}

/** By code of the service (docs/errors.md). */
export const errorClasses: Readonly<Record<string, typeof NumeraError>> = {
  invalid_argument: InvalidArgument,
  credential_in_url: CredentialInUrl,
  unauthenticated: CredentialRefused,
  permission_denied: PermissionDenied,
  sign_in_again: SignInAgain,
  docs_origin_needs_sandbox: DocsOriginNeedsSandbox,
  webhook_only: WebhookOnly,
  not_found: NotFound,
  method_not_allowed: MethodNotAllowed,
  source_paused: SourcePaused,
  key_reused: KeyReused,
  conflict: Conflict,
  too_large: TooLarge,
  unsupported_media_type: UnsupportedMediaType,
  rate_limited: RateLimited,
  internal: Internal,
}

/** The error of an answer, or of none. OAuth answers have `error` and `error_description` instead of `code` and `message`. */
export function toError(
  answer: { status: number | null; headers: Headers; json: Record<string, unknown> | undefined },
  rest: Pick<ErrorDetails, 'attempts' | 'retryAfterMs' | 'cause'>,
): NumeraError {
  const { status, headers, json } = answer
  const text = (name: string): string | undefined => {
    const value = json?.[name]
    return typeof value === 'string' ? value : undefined
  }
  const code = text('code') ?? text('error')
  const details = {
    ...rest,
    status: status ?? undefined,
    code,
    field: text('field'),
    requestId: text('request_id') ?? headers.get('x-request-id') ?? undefined,
    help: text('help') ?? /<([^>]*)>\s*;[^,]*rel="?help"?/.exec(headers.get('link') ?? '')?.[1],
  }
  if (json === undefined && status !== 429) {
    const what =
      status === null ? 'There was no whole answer' : `The answer ${status} is not one of the service`
    const why = rest.cause instanceof Error ? `: ${rest.cause.message}` : ''
    return new Unreachable(`${what}${why}.`, details)
  }
  const message = text('message') ?? text('error_description') ?? code ?? `The answer is ${status}.`
  const ofStatus = status === 401 ? CredentialRefused : status === 429 ? RateLimited : undefined
  return new (ofStatus ?? errorClasses[code ?? ''] ?? NumeraError)(message, details)
}
