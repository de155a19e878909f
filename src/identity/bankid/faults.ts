/** How a call to BankID can go wrong [eid.provider]. */
export interface Fault {
  /** The HTTP status; undefined where there was no whole answer. */
  status: number | undefined
  /**
   * BankID's `errorCode`; else `unreachable` (no connection), `late`, `malformed` (an answer that is none, or too long), or
   * `no_certificate` (no call was made: this process does not have the certificate that BankID knows the order by).
   */
  code: string
}

/** BankID's public error codes. Further ones may appear without notice. */
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

/** BankID's public hint codes. Further ones may appear without notice. */
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

/** A word of BankID's that may be kept, shown and counted. */
const plainWord = /^[A-Za-z]{1,64}$/

/** BankID's word, or `unknown` where it is none. */
export function wordOf(value: unknown): string {
  return typeof value === 'string' && plainWord.test(value) ? value : 'unknown'
}

/** What a status means where the body does not say it. */
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

/** The fault that an answer other than 200 tells. */
export function faultOf(status: number, body: unknown): Fault {
  const told = (body as { errorCode?: unknown } | null | undefined)?.errorCode
  return { status, code: told === undefined ? (codeByStatus[status] ?? 'unknown') : wordOf(told) }
}

/**
 * Whether the same call may well succeed a moment later: BankID is away, slow, or has trouble of its own. Otherwise the
 * request or the configuration is at fault, and asking again would only repeat it.
 */
export function isPassing({ status, code }: Fault): boolean {
  if (status === undefined) return true
  if (status === 200) return code === 'malformed'
  return status >= 500 || status === 408 || status === 429
}

/**
 * Whether BankID may mean that it does not know the order that was asked about, has told its result before, or knows it by
 * another certificate: it has one word for all that.
 */
export function isOfUnknownOrder({ status, code }: Fault): boolean {
  return status === 400 && code === 'invalidParameters'
}

/**
 * Why an order that met the fault has failed: what BankID says about the person's order in its own word, and
 * `unavailable` for what is between this service and BankID.
 */
export function reasonOf(fault: Fault): string {
  return fault.status === 400 ? fault.code : 'unavailable'
}
