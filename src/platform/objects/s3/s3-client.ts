import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Pool } from 'undici'
import { monotonicClock } from '../../clock/clock.ts'
import type { BackupCredentials, BackupPlace } from '../../config/config.ts'
import type { Secret } from '../../config/secret.ts'
import { readBounded, TooLargeError } from '../../http/read-bounded.ts'
import { ObjectStoreError } from '../object-store-error.ts'
import { toSha256 } from './checksum.ts'
import { findText } from './xml.ts'

/** Connections to the store of one process. Requests beyond wait for one, within their time. */
const connectionsMax = 16
/** An answer that is no object, such as a page of a list. */
const answerBytesMax = 4 * 1_048_576

/** How long a store is waited for. Milliseconds. */
export interface Patience {
  readonly triesMax: number
  /** One try, including the whole answer: 16 MiB at 280 KB a second. */
  readonly tryMs: number
  /** After it no other try begins. */
  readonly allTriesMs: number
  /** The wait after the first try; it doubles with each further one. */
  readonly waitMs: number
  /** The longest wait, even where the store's `Retry-After` is longer. */
  readonly waitMsMax: number
}

const usualPatience: Patience = {
  triesMax: 6,
  tryMs: 60_000,
  allTriesMs: 180_000,
  waitMs: 200,
  waitMsMax: 30_000,
}

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** With the prefix; undefined for the bucket itself. */
  key?: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: Uint8Array
  /** Of the answer. */
  bytesMax?: number
  /** Statuses that are returned instead of thrown, apart from 200. */
  accept?: readonly number[]
}

export interface S3Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  /** Of an error. */
  code: string | undefined
  /** How often it was sent: a try that broke may have done it. */
  tries: number
}

type Outcome = Omit<S3Answer, 'tries'> | { status: undefined; code: string; headers?: undefined }

/** Full, or not what this store does: no later try helps. */
const finalStatuses: ReadonlySet<number> = new Set([501, 507])
/** Of other statuses than 5xx. */
const transientCodes: ReadonlySet<string> = new Set([
  'RequestTimeout',
  'ConditionalRequestConflict',
  'OperationAborted',
])
/** Of this process. */
const finalCodes: ReadonlySet<string> = new Set(['Closed', 'AnswerTooLarge', 'ContentMismatch'])
/** Anything else in its place could be part of a secret. */
const codePattern = /^\w{1,64}$/

function isTransient({ status, code = '' }: Outcome): boolean {
  if (finalCodes.has(code)) return false
  if (status === undefined || status === 429 || transientCodes.has(code)) return true
  return status >= 500 && !finalStatuses.has(status)
}

function toRetryAfterMs(headers: IncomingHttpHeaders | undefined): number {
  const seconds = headers?.['retry-after'] ?? ''
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : 0
}

/** A store that lost the bucket has no answer about its objects. */
function isAccepted({ accept = [] }: S3Request, { status = 0, code }: Outcome): boolean {
  return status === 200 || (accept.includes(status) && code !== 'NoSuchBucket')
}

function toOutcome(
  { method }: S3Request,
  status: number,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Outcome {
  // S3 begins to answer a POST before it is done, and can no longer change the status if it then fails.
  const failedLate = method === 'POST' && status === 200 && body.includes('<Error>')
  if (status < 300 && !failedLate) return { status, headers, body, code: undefined }
  const code = findText(body.toString('utf8'), 'Code')
  return {
    status: failedLate ? 500 : status,
    headers,
    body,
    code: code !== undefined && codePattern.test(code) ? code : undefined,
  }
}

/** Signed requests to one bucket, by its path. */
export class S3Client implements AsyncDisposable {
  readonly #settings: Extract<BackupPlace, { kind: 's3' }>
  readonly #credentials: Secret<BackupCredentials>
  readonly #patience: Patience
  readonly #pool: Pool
  readonly #closing = new AbortController()
  readonly #signingKeys = new Map<string, ArrayBuffer>()

  constructor(
    settings: Extract<BackupPlace, { kind: 's3' }>,
    credentials: Secret<BackupCredentials>,
    patience: Patience = usualPatience,
  ) {
    this.#settings = settings
    this.#credentials = credentials
    this.#patience = patience
    this.#pool = new Pool(new URL(settings.endpoint).origin, {
      connections: connectionsMax,
      allowH2: false,
    })
  }

  /**
   * Sends a request until it has an answer, within the bounds of patience. A PUT has a checksum, and so has its answer where the
   * store calculates one: they are compared.
   *
   * @throws ObjectStoreError for any status but 200 and those that are accepted
   */
  async send(request: S3Request): Promise<S3Answer> {
    const { triesMax, allTriesMs, waitMs, waitMsMax } = this.#patience
    const endMs = monotonicClock.now() + allTriesMs
    for (let tries = 1; ; tries++) {
      const outcome = await this.#try(request)
      if (outcome.status !== undefined && isAccepted(request, outcome)) return { ...outcome, tries }
      // Random, so that processes whose requests failed together do not repeat them together.
      const backoffMs = waitMs * 2 ** (tries - 1) * (0.5 + Math.random() / 2)
      const nextMs = Math.min(waitMsMax, Math.max(toRetryAfterMs(outcome.headers), backoffMs))
      if (!isTransient(outcome) || tries === triesMax || monotonicClock.now() + nextMs > endMs) {
        throw this.toError(request, outcome.code ?? `status ${outcome.status}`, tries)
      }
      await sleep(nextMs, undefined, { signal: this.#closing.signal }).catch(() => undefined)
    }
  }

  toError({ method, key, query }: S3Request, code: string, tries = 1): ObjectStoreError {
    const what = `${method} s3://${this.#settings.bucket}/${key ?? query?.['prefix'] ?? ''}`
    return new ObjectStoreError(`${what} failed${tries > 1 ? ` ${tries} times` : ''}: ${code}`, code)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    await this.#pool.destroy()
  }

  async #try(request: S3Request): Promise<Outcome> {
    const { method, body, bytesMax = answerBytesMax } = request
    const late = AbortSignal.timeout(this.#patience.tryMs)
    try {
      const sha256 = await toSha256(body ?? Buffer.alloc(0))
      const checksum = method === 'PUT' ? sha256.toString('base64') : undefined
      const { url, headers } = await this.#sign(request, sha256, checksum)
      const answer = await this.#pool.request({
        method,
        path: `${url.pathname}${url.search}`,
        headers: Object.fromEntries(headers),
        body: body ?? null,
        signal: AbortSignal.any([late, this.#closing.signal]),
      })
      const content = await readBounded(answer.body, answer.statusCode < 300 ? bytesMax : answerBytesMax)
      const outcome = toOutcome(request, answer.statusCode, answer.headers, content)
      const returned = checksum === undefined ? undefined : answer.headers['x-amz-checksum-sha256']
      return returned === undefined || returned === checksum
        ? outcome
        : { status: undefined, code: 'ContentMismatch' }
    } catch (error) {
      return { status: undefined, code: this.#toCode(error, late) }
    }
  }

  #toCode(error: unknown, late: AbortSignal): string {
    if (this.#closing.signal.aborted) return 'Closed'
    if (error instanceof TooLargeError) return 'AnswerTooLarge'
    if (late.aborted) return 'NoAnswerInTime'
    const { code } = error as { code?: unknown }
    return typeof code === 'string' && codePattern.test(code) ? code : 'ConnectionBroken'
  }

  /** AWS Signature Version 4, of the body too. */
  async #sign(
    { method, key, query = {}, headers }: S3Request,
    sha256: Buffer,
    checksum: string | undefined,
  ): Promise<{ url: URL; headers: Headers }> {
    const { endpoint, bucket, region } = this.#settings
    const url = new URL(`${endpoint}/${bucket}${key === undefined ? '' : `/${key}`}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const { accessKeyId, secretAccessKey, sessionToken } = this.#credentials.reveal()
    // A key for each day.
    if (this.#signingKeys.size > 1) this.#signingKeys.clear()
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: {
        ...headers,
        'x-amz-content-sha256': sha256.toString('hex'),
        ...(checksum === undefined ? {} : { 'x-amz-checksum-sha256': checksum }),
      },
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
      service: 's3',
      region,
      cache: this.#signingKeys,
    })
    return signer.sign()
  }
}
