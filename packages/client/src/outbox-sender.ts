import { DatabaseSync } from 'node:sqlite'
import { CredentialRefused, NumeraError, SourcePaused, Unreachable } from './errors.ts'
import type { Numera } from './numera.ts'
import { OutboxFull, OutboxInUse, OutboxLocked, resultCode, toOutboxError } from './outbox-errors.ts'
import { createPrivately, type OutboxFile, type WaitingSource } from './outbox-file.ts'
import { callBackoff } from './retry.ts'
import type { Clock } from './transport.ts'

/** How long until what another process has put is seen. */
const pollMs = 1000
/** The longest time of `setTimeout`. */
const sleepMsMax = 2 ** 31 - 1

/** Sends what a file has: the deliveries of a source one after the other, sources independently. */
export class OutboxSender {
  readonly #file: OutboxFile
  readonly #numera: Numera
  readonly #clock: Clock
  readonly #stop = new AbortController()
  readonly #paused = new Map<number, WaitingSource>()
  /** By id of the source. */
  readonly #sending = new Map<number, Promise<void>>()
  #fault: { error: unknown } | undefined
  /** There may be something to do. */
  wake = (): void => undefined

  constructor({ file, numera, clock }: { file: OutboxFile; numera: Numera; clock: Clock }) {
    this.#file = file
    this.#numera = numera
    this.#clock = clock
  }

  get paused(): WaitingSource[] {
    return Array.from(this.#paused.values())
  }

  async run(standby: boolean, untilEmpty: boolean): Promise<void> {
    const lock = await this.#lock(standby)
    try {
      while (!this.#stop.signal.aborted) {
        for (const source of this.#file.waiting()) this.#start(source)
        if (untilEmpty && this.#sending.size === 0) return
        await this.#nap()
        if (this.#fault) throw this.#fault.error
      }
    } catch (error) {
      throw toOutboxError(error, this.#file.path)
    } finally {
      this.stop()
      await Promise.all(this.#sending.values())
      lock?.close()
    }
  }

  /** Ends `run`. What is on its way is sent again next time, with the same key. */
  stop(): void {
    this.#stop.abort()
    this.wake()
  }

  resume(sourceId: string | undefined): void {
    for (const [id, source] of this.#paused) {
      if (sourceId === undefined || source.sourceId === sourceId) this.#paused.delete(id)
    }
    this.wake()
  }

  /** A lock that ends with its process: SQLite's, on a file of its own beside the outbox. */
  async #lock(standby: boolean): Promise<DatabaseSync | undefined> {
    const path = `${this.#file.path}.sender`
    createPrivately(path)
    const database = new DatabaseSync(path)
    while (!this.#stop.signal.aborted) {
      try {
        database.exec('pragma journal_mode = memory; begin exclusive')
        return database
      } catch (error) {
        const isInUse = resultCode(error) === 5
        if (!isInUse || !standby) {
          database.close()
          if (!isInUse) throw toOutboxError(error, path)
          throw new OutboxInUse(`Another process sends from the outbox ${this.#file.path}.`)
        }
      }
      await this.#nap()
    }
    return database
  }

  #nap(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pollMs)
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #start(source: WaitingSource): void {
    if (this.#sending.has(source.id) || this.#paused.has(source.id)) return
    const sending = this.#sendAll(source)
      .catch((error: unknown) => {
        if (!this.#stop.signal.aborted) this.#fault ??= { error }
      })
      .finally(() => {
        this.#sending.delete(source.id)
        this.wake()
      })
    this.#sending.set(source.id, sending)
  }

  async #sendAll(source: WaitingSource): Promise<void> {
    for (;;) {
      const delivery = this.#file.next(source.id)
      if (delivery === undefined || this.#stop.signal.aborted) return
      const refusal = await this.#send(delivery.body, source)
      if (refusal instanceof SourcePaused) return void this.#paused.set(source.id, source)
      await this.#settle(delivery.number, refusal)
    }
  }

  /** @returns undefined once it is stored, or the refusal, which is final */
  async #send(
    body: Uint8Array<ArrayBuffer>,
    { sourceId, orgnr }: WaitingSource,
  ): Promise<NumeraError | undefined> {
    const { signal } = this.#stop
    const scope = { ...(sourceId && { sourceId }), ...(orgnr && { orgnr }), signal }
    for (;;) {
      try {
        await this.#numera.pushBody(body, scope)
        return undefined
      } catch (error) {
        if (!(error instanceof NumeraError) || error instanceof CredentialRefused) throw error
        if (isFinal(error)) return error
        const waitMs = Math.max(error.retryAfterMs ?? 0, callBackoff.maxMs)
        await this.#clock.sleep(Math.min(waitMs, sleepMsMax), signal)
      }
    }
  }

  /** Writes what became of a delivery; on a full disk as soon as there is space. */
  async #settle(number: number, refusal: NumeraError | undefined): Promise<void> {
    // What the service said, and nothing of the request.
    const failure = refusal && { ...refusal, message: refusal.message, failedAt: this.#clock.now() }
    for (;;) {
      try {
        return await this.#file.write(() => this.#file.settle(number, failure && JSON.stringify(failure)))
      } catch (error) {
        if (!(error instanceof OutboxFull || error instanceof OutboxLocked)) throw error
        await this.#clock.sleep(callBackoff.maxMs, this.#stop.signal)
      }
    }
  }
}

/** The rule of `retry.ts`. What the service did not write is no refusal. */
function isFinal(error: NumeraError): boolean {
  const { status } = error
  if (error instanceof SourcePaused) return true
  if (status === undefined || error instanceof Unreachable) return false
  return status >= 400 && status < 500 && status !== 408 && status !== 429
}
