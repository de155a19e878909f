import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { answer, toErrorAnswer, type Answer } from './api.ts'
import { Bucket, type BucketObject } from './bucket.ts'
import { S3Error } from './s3-error.ts'
import { checkSignature, type Credentials, type SignedRequest } from './signature.ts'

/**
 * A stand-in for Amazon S3 and what speaks like it: one bucket on loopback, in memory. It is strict about signatures,
 * checksums, conditions, parts and pages, and misbehaves on request.
 */

export interface S3StandInOptions {
  /** Of a page of a list, 1,000 by default. */
  pageKeysMax?: number
  /** The credentials are temporary. */
  sessionToken?: string
}

/** What is done instead of answering correctly. */
export interface Misbehaviour {
  fault:
    | /** 507 `QuotaExceeded` to everything that stores. */ 'full'
    | /** 503 `SlowDown`. */ 'slow-down'
    | /** Begins after `delayMs`. */ 'slow'
    | /** Closes the connection instead of doing anything. */ 'cut'
    | /** Closes the connection instead of answering. */ 'cut-after'
    | /** Closes the connection within the answer. */ 'cut-midway'
    | /** Answers as if it had stored. */ 'lying'
    | /** Returns what the object was before. */ 'old'
    | /** Returns the object with one bit changed. */ 'altered'
  /** Of any method by default. */
  method?: string
  /** Of any path by default. */
  path?: RegExp
  /** The number of requests that it applies to; 1 by default. */
  times?: number
  delayMs?: number
  /** A header of `slow-down`. */
  retryAfterSeconds?: number
}

export interface S3StandIn extends AsyncDisposable {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly credentials: Credentials
  /** Configures a service to use the stand-in, under the prefix `numera`. */
  readonly environment: Record<string, string>
  /** Method and path of all requests, oldest first. */
  readonly calls: readonly string[]
  /** What is stored, by its key: tests may change it. */
  readonly objects: Map<string, BucketObject>
  /** How many uploads of parts are neither complete nor aborted. */
  readonly openUploads: number
  misbehave(misbehaviour: Misbehaviour): void
  /** Drops what the above queued. */
  behave(): void
}

const bucketName = 'numera-trial'

class S3 implements S3StandIn {
  readonly endpoint: string
  readonly bucket = bucketName
  readonly region = 'eu-north-1'
  readonly credentials: Credentials
  readonly environment: Record<string, string>
  readonly calls: string[] = []
  readonly #server: Server
  readonly #bucket: Bucket
  #misbehaviours: Misbehaviour[] = []

  constructor(server: Server, { pageKeysMax, sessionToken }: S3StandInOptions) {
    this.#bucket = new Bucket(pageKeysMax)
    this.#server = server
    this.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    this.credentials = { accessKeyId: 'AKIDOFTHETRIAL', secretAccessKey: 'secret/of+the+trial', sessionToken }
    this.environment = {
      NUMERA_BACKUP: `s3://${bucketName}/numera?endpoint=${this.endpoint}&region=${this.region}`,
      AWS_ACCESS_KEY_ID: this.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: this.credentials.secretAccessKey,
      AWS_SESSION_TOKEN: sessionToken ?? '',
    }
    server.on('request', (request, response) => {
      this.#handle(request, response).catch((error: unknown) => response.destroy(error as Error))
    })
  }

  get objects(): Map<string, BucketObject> {
    return this.#bucket.objects
  }

  get openUploads(): number {
    return this.#bucket.uploads.size
  }

  misbehave(misbehaviour: Misbehaviour): void {
    this.#misbehaviours.push({ ...misbehaviour })
  }

  behave(): void {
    this.#misbehaviours = []
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming
    const request = { method, url, headers, body: await buffer(incoming) }
    this.calls.push(`${method} ${url.split('?')[0]}`)
    const misbehaviour = this.#nextMisbehaviour(request)
    const { fault } = misbehaviour ?? {}
    if (fault === 'slow') await sleep(misbehaviour!.delayMs ?? 1_000, undefined, { ref: false })
    // Nor does it do anything for a client that is gone.
    if (fault === 'cut' || response.destroyed) return void response.destroy()
    const { status, headers: own, body } = this.#answer(request, misbehaviour)
    if (fault === 'cut-after') return void response.destroy()
    response.writeHead(status, {
      ...own,
      ...(status === 204 ? {} : { 'content-length': String(body.length) }),
      'x-amz-request-id': randomUUID(),
    })
    if (method === 'HEAD') return void response.end()
    if (fault !== 'cut-midway') return void response.end(body)
    response.write(body.slice(0, Math.ceil(body.length / 2)), () => response.destroy())
  }

  #nextMisbehaviour({ method, url }: SignedRequest): Misbehaviour | undefined {
    const found = this.#misbehaviours.find(
      (each) => (each.method ?? method) === method && (each.path?.test(url) ?? true),
    )
    if (found === undefined) return undefined
    found.times = (found.times ?? 1) - 1
    if (found.times <= 0) this.#misbehaviours = this.#misbehaviours.filter((each) => each !== found)
    return found
  }

  #answer(request: SignedRequest, misbehaviour: Misbehaviour | undefined): Answer {
    const { fault, retryAfterSeconds } = misbehaviour ?? {}
    try {
      checkSignature(request, this.credentials, this.region, Date.now())
      if (fault === 'full' && ['PUT', 'POST'].includes(request.method))
        throw new S3Error(507, 'QuotaExceeded')
      if (fault === 'slow-down') throw new S3Error(503, 'SlowDown')
      return this.#answerFalsely(request, fault)
    } catch (error) {
      if (!(error instanceof S3Error)) throw error
      const refusal = toErrorAnswer(error, request)
      const wait = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
      return { ...refusal, headers: { ...refusal.headers, ...wait } }
    }
  }

  #answerFalsely(request: SignedRequest, fault: Misbehaviour['fault'] | undefined): Answer {
    const { objects } = this.#bucket
    const key = decodeURIComponent(
      new URL(request.url, this.endpoint).pathname.slice(`/${bucketName}/`.length),
    )
    const object = objects.get(key)
    if (fault === 'old' && object?.previous !== undefined) objects.set(key, object.previous)
    const own = answer(this.#bucket, bucketName, request)
    if (fault === 'old' || fault === 'lying') {
      if (object === undefined) objects.delete(key)
      else objects.set(key, object)
    }
    if (fault !== 'altered') return own
    const body = Buffer.from(own.body)
    body[0] = body[0]! ^ 1
    return { ...own, body }
  }
}

export async function startS3StandIn(options: S3StandInOptions = {}): Promise<S3StandIn> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return new S3(server, options)
}
