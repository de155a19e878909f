import type { NumeraApi } from './api-types.ts'
import { type CamelCase, toCamelCase } from './camel-case.ts'
import { Credentials, type Identity } from './credentials.ts'
import { type CheckReport, DeliveryHandle, type DeliveryPage, type DeliveryQuery } from './delivery-handle.ts'
import { CredentialRefused, SourcePaused } from './errors.ts'
import type { FileInput } from './files.ts'
import { checkKey } from './key.ts'
import type { FilePart, PartReceipt, PushFileOptions } from './push-file.ts'
import { isReceipt, type Receipt, toReceipt } from './receipt.ts'
import { callBackoff } from './retry.ts'
import { fileHeaders, jsonHeaders, type Rows, writePush } from './rows.ts'
import { type Query, readSamples, type Sample, type SampleQuery, toSampleQuery } from './samples.ts'
import type { CheckOptions, PushOptions, Scope } from './scope.ts'
import { toTrace, type Trace, type TraceQuery } from './trace.ts'
import { type Answer, type Clock, type Request, systemClock, Transport } from './transport.ts'

export type NumeraOptions = Identity & {
  /** The address of the service, such as `https://numera.example`. */
  baseUrl: string
  /** Of one attempt; two minutes by default, as long as the service lets a body take. */
  timeoutMs?: number
  /** No attempt of a call begins later than this after its first; 15 minutes by default. `Infinity` tries for ever. */
  giveUpAfterMs?: number
  fetch?: typeof fetch
  clock?: Clock
}

export type Source = CamelCase<NumeraApi['GET /v1/sources']['answer']['sources'][number]>
/** What a source declares: its fields, how they are read, what is counted. */
export type DeclaredSource = CamelCase<NumeraApi['GET /v1/sources/{source_id}']['answer']>
export type Company = CamelCase<NumeraApi['GET /v1/companies']['answer']['companies'][number]>

const isCheck = (json: object): boolean => 'rows_accepted' in json

/** Answers with an `ETag` that are kept, to be read again only when they have changed. */
const keptAnswersMax = 16

/**
 * A connection to one service. It keeps the sender's rules: what is sent again, for how long and with which key, and when it stops.
 *
 * Every method throws a `NumeraError`, or the signal's reason.
 */
export class Numera {
  readonly #baseUrl: string
  readonly #transport: Transport
  readonly #credentials: Credentials
  readonly #giveUpAfterMs: number
  /** Ids of paused sources; empty for the one that the connection is bound to. */
  readonly #paused = new Set<string>()
  readonly #kept = new Map<string, { etag: string; json: Record<string, unknown> }>()

  constructor(options: NumeraOptions) {
    const url = new URL(options.baseUrl)
    if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
      throw new TypeError('`baseUrl` must be an http or https address without user, query or fragment.')
    }
    const { fetch = globalThis.fetch, clock = systemClock, timeoutMs = 120_000 } = options
    this.#baseUrl = url.href.replace(/\/+$/, '')
    this.#transport = new Transport({ fetch, clock, timeoutMs })
    this.#credentials = new Credentials(options, this.#baseUrl, this.#transport)
    this.#giveUpAfterMs = options.giveUpAfterMs ?? callBackoff.giveUpAfterMs
  }

  /**
   * Stores rows as one delivery, once, however often it is called with the same key and rows. Resolves when it is on disk.
   *
   * @throws InvalidRow, InvalidKey before anything is sent; KeyReused, SourcePaused, InvalidArgument, …
   */
  async push(rows: Rows, options: PushOptions): Promise<Receipt> {
    checkKey(options.key, this.#transport.clock.now(), options)
    const body = await writePush(options.key, options.shapeVersion, rows, options.signal)
    return this.pushBody(body, options)
  }

  /** Sends a push that was written before, byte for byte: for the outbox. */
  pushBody(body: Uint8Array<ArrayBuffer>, scope: Scope): Promise<Receipt> {
    return this.#ingest(body, jsonHeaders, scope)
  }

  /**
   * Stores a file as one delivery, or cut on the borders of its records into several. Gives the receipt of each part as it is stored.
   * Interrupted and called again with the same key and file, what was stored gets its first receipt.
   *
   * @throws BrokenFile where the file is broken; parts before that are stored
   */
  pushFile(input: FileInput, options: PushFileOptions): AsyncGenerator<PartReceipt> {
    return this.#sendFile(input, options, (bytes, key) =>
      this.#ingest(bytes, fileHeaders(key, options.shapeVersion), options),
    )
  }

  /** Sends to a source again that was paused; without an id to all of them. */
  resume(sourceId?: string): void {
    if (sourceId === undefined) this.#paused.clear()
    else this.#paused.delete(sourceId)
  }

  /** Every sample of a window, newest first, with its exact value. */
  samples(query: SampleQuery = {}): AsyncGenerator<Sample> {
    return readSamples((page) => this.#get('/v1/samples', page, query.signal), query)
  }

  /** The deliveries behind one sample, latest first, a page at a time. */
  async trace(query: TraceQuery): Promise<Trace> {
    const { periodStart, cursor, signal } = query
    const parameters = { ...toSampleQuery(query), period_start: periodStart, cursor }
    return toTrace(await this.#get('/v1/samples/trace', parameters, signal))
  }

  /** The sources that the connection may name. */
  async *sources({ orgnr, signal }: Omit<Scope, 'sourceId'> = {}): AsyncGenerator<Source> {
    let cursor: string | undefined
    do {
      const page = (await this.#get(
        '/v1/sources',
        { orgnr, cursor },
        signal,
      )) as unknown as NumeraApi['GET /v1/sources']['answer']
      yield* page.sources.map((source) => toCamelCase(source))
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
  }

  /** What one source declares. */
  async source(sourceId: string, { orgnr, signal }: Omit<Scope, 'sourceId'> = {}): Promise<DeclaredSource> {
    const json = await this.#get(`/v1/sources/${encodeURIComponent(sourceId)}`, { orgnr }, signal)
    return toCamelCase(json as unknown as NumeraApi['GET /v1/sources/{source_id}']['answer'])
  }

  /** The companies that the connection or the app may read. */
  async companies({ signal }: Pick<Scope, 'signal'> = {}): Promise<Company[]> {
    const { companies } = (await this.#get(
      '/v1/companies',
      {},
      signal,
    )) as unknown as NumeraApi['GET /v1/companies']['answer']
    return companies.map((company) => toCamelCase(company))
  }

  /** A delivery, by the `artifactId` of its receipt. */
  delivery(artifactId: string, { orgnr, signal }: Omit<Scope, 'sourceId'> = {}): DeliveryHandle {
    const path = `/v1/deliveries/${encodeURIComponent(artifactId)}`
    return new DeliveryHandle(this.#transport.clock, async (own = signal) =>
      toCamelCase(
        (await this.#get(
          path,
          { orgnr },
          own,
        )) as unknown as NumeraApi['GET /v1/deliveries/{artifact_id}']['answer'],
      ),
    )
  }

  /** A source's deliveries in the order of receipt, a page at a time; with `waitSeconds` it waits for what is new or has changed. */
  async deliveries(query: DeliveryQuery = {}): Promise<DeliveryPage> {
    const { sourceId, orgnr, after, state, limit, waitSeconds, signal } = query
    const texts = { limit: limit?.toString(), wait: waitSeconds?.toString() }
    const parameters = { source_id: sourceId, orgnr, after, state, ...texts }
    return toCamelCase(await this.#get('/v1/deliveries', parameters, signal)) as unknown as DeliveryPage
  }

  /** What a push of these rows, or of these bytes of a file, would give. Nothing is stored. */
  async check(rows: Rows | Uint8Array<ArrayBuffer>, options: CheckOptions): Promise<CheckReport> {
    const { key = 'check', shapeVersion, signal } = options
    if (rows instanceof Uint8Array) return this.#check(rows, fileHeaders(key, shapeVersion), options)
    return this.#check(await writePush(key, shapeVersion, rows, signal), jsonHeaders, options)
  }

  /** What `pushFile` would give, part by part. Nothing is stored. */
  checkFile(input: FileInput, options: PushFileOptions): AsyncGenerator<CheckReport & FilePart> {
    return this.#sendFile(input, options, (bytes, key) =>
      this.#check(bytes, fileHeaders(key, options.shapeVersion), options),
    )
  }

  async *#sendFile<Answer extends object>(
    input: FileInput,
    options: PushFileOptions,
    send: (bytes: Uint8Array<ArrayBuffer>, key: string) => Promise<Answer>,
  ): AsyncGenerator<Answer & FilePart> {
    const { sendParts } = await import('./push-file.ts')
    yield* sendParts(input, options, {
      nowMs: this.#transport.clock.now(),
      findDelivers: () => this.#findDelivers(options),
      send,
    })
  }

  async #check(
    body: Uint8Array<ArrayBuffer>,
    headers: Record<string, string>,
    { sourceId, orgnr, signal }: Scope,
  ): Promise<CheckReport> {
    const url = this.#url('/v1/ingest/check', { source_id: sourceId, orgnr })
    const { json } = await this.#call({ url, method: 'POST', headers, body }, { isExpected: isCheck, signal })
    return toCamelCase(json) as unknown as CheckReport
  }

  async #ingest(
    body: Uint8Array<ArrayBuffer>,
    headers: Record<string, string>,
    { sourceId, orgnr, signal }: Scope,
  ): Promise<Receipt> {
    const source = sourceId ?? ''
    const url = this.#url('/v1/ingest', { source_id: sourceId, orgnr })
    const requireActive = (): void => {
      if (!this.#paused.has(source)) return
      throw new SourcePaused('The source was paused: nothing is sent to it until `resume`.', {
        code: 'source_paused',
      })
    }
    try {
      return toReceipt(
        await this.#call(
          { url, method: 'POST', headers, body, isStreamed: 'idempotency-key' in headers },
          { isExpected: isReceipt, signal, requireActive },
        ),
      )
    } catch (error) {
      if (error instanceof SourcePaused) this.#paused.add(source)
      throw error
    }
  }

  async #findDelivers({ sourceId, orgnr, signal }: Scope): Promise<'events' | 'statements' | undefined> {
    try {
      const sources = await Array.fromAsync(
        this.sources({ ...(orgnr && { orgnr }), ...(signal && { signal }) }),
      )
      const named =
        sourceId === undefined ? sources : sources.filter((source) => source.sourceId === sourceId)
      return named.length === 1 ? named[0]!.delivers : undefined
    } catch (error) {
      // The connection may not be allowed to read.
      if (error instanceof CredentialRefused || signal?.aborted) throw error
      return undefined
    }
  }

  /** Reads JSON; an answer with an `ETag` that was read before is read again only if it has changed. */
  async #get(path: string, query: Query, signal: AbortSignal | undefined): Promise<Record<string, unknown>> {
    const url = this.#url(path, query)
    const kept = this.#kept.get(url)
    const headers: Record<string, string> = kept ? { 'if-none-match': kept.etag } : {}
    const answer = await this.#call({ url, method: 'GET', headers }, { isExpected: () => true, signal })
    const json = answer.status === 304 ? kept!.json : answer.json!
    const etag = answer.status === 304 ? kept!.etag : answer.headers.get('etag')
    this.#kept.delete(url)
    if (etag !== null) this.#kept.set(url, { etag, json })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > keptAnswersMax) this.#kept.delete(oldest!)
    return json
  }

  async #call(
    request: Request,
    options: {
      isExpected: (json: Record<string, unknown>) => boolean
      signal: AbortSignal | undefined
      requireActive?: () => void
    },
  ): Promise<Answer> {
    const { isExpected, signal, requireActive } = options
    const backoff = { ...callBackoff, giveUpAfterMs: this.#giveUpAfterMs }
    let refusals = 0
    let bearer = ''
    try {
      return await this.#transport.send(request, {
        backoff,
        isExpected,
        signal,
        isRated: true,
        prepare: async () => {
          requireActive?.()
          bearer = await this.#credentials.bearer()
          return { ...request, headers: { ...request.headers, authorization: `Bearer ${bearer}` } }
        },
        onUnauthenticated: () => this.#credentials.afterUnauthenticated(bearer, ++refusals),
      })
    } catch (error) {
      if (error instanceof CredentialRefused) this.#credentials.refuse(error)
      throw error
    }
  }

  #url(path: string, query: Query): string {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const text = new URLSearchParams(given).toString()
    return `${this.#baseUrl}${path}${text === '' ? '' : `?${text}`}`
  }
}
