/** How a call to BankID can fail [eid.provider]. */
export interface Fault {
  /** The HTTP status; undefined without a whole answer. */
  status: number | undefined
  /**
   * BankID's `errorCode`; otherwise `unreachable` (no connection), `late`, `malformed` (not an answer of BankID's, or too long),
   * or `no_certificate` (no call was made: this process lacks the certificate by which BankID knows the order).
   */
  code: string
}

/** BankID's public error codes. It may add others without notice. */
export const errorCodes = [
  'alreadyInProgress',
  'invalidParameters',
  'unauthorized',
  'notFound',
  'methodNotAllowed',
  'requestTimeout',
  'unsupportedMediaType',
  'internalError',
  'maintenance',
] as const

/** BankID's public hint codes. It may add others without notice. */
export const hintCodes = {
  pending: ['outstandingTransaction', 'noClient', 'started', 'userMrtd', 'userCallConfirm', 'userSign'],
  failed: [
    'expiredTransaction',
    'certificateErr',
    'userCancel',
    'cancelled',
    'startFailed',
    'userDeclinedCall',
    'notSupportedByUserApp',
    'transactionRiskBlocked',
  ],
} as const

/** A word of BankID's that may be stored, shown and counted; `unknown` if it is not one. */
export function toWord(value: unknown): string {
  return typeof value === 'string' && /^[A-Za-z]{1,64}$/.test(value) ? value : 'unknown'
}

/** What a status means if the body does not say it. */
const codeByStatus: Record<number, string> = {
  401: 'unauthorized',
  403: 'unauthorized',
  404: 'notFound',
  405: 'methodNotAllowed',
  408: 'requestTimeout',
  415: 'unsupportedMediaType',
  500: 'internalError',
  503: 'maintenance',
}

/** The fault of an answer other than 200. */
export function toFault(status: number, body: unknown): Fault {
  const code = (body as { errorCode?: unknown } | null | undefined)?.errorCode
  return { status, code: code === undefined ? (codeByStatus[status] ?? 'unknown') : toWord(code) }
}

/**
 * Whether the same call may succeed a moment later: BankID is unavailable, slow, or has a fault of its own. Otherwise the
 * request or the configuration is wrong.
 */
export function isTransient({ status, code }: Fault): boolean {
  if (status === undefined) return true
  if (status === 200) return code === 'malformed'
  return status >= 500 || status === 408 || status === 429
}

/**
 * Whether BankID may mean that it does not know the order, has given its result before, or knows it by another certificate: it
 * has one word for all of them.
 */
export function isOfUnknownOrder({ status, code }: Fault): boolean {
  return status === 400 && code === 'invalidParameters'
}

/** Why an order has failed: BankID's own word about the order, or `unavailable` for what is between this service and BankID. */
export function toReason({ status, code }: Fault): string {
  return status === 400 ? code : 'unavailable'
}
