import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { OverloadedError } from '../database/overloaded-error.ts'
import { ApiError, invalidArgument } from '../http/errors.ts'
import { bodyBytesMax } from './delivery.ts'

/** What is thrown away of a body that is too large, so that its sender sees the answer and not a reset. */
const drainBytesMax = 64 * 1_048_576
const drainMs = 10_000

/**
 * All bodies that are in memory at the same time: as many as 32 of the largest, and beside them 1,024 small ones, so
 * that senders of large bodies who hold back the end take no room from the others.
 */
const largeBytesMax = 32 * bodyBytesMax
const smallBodyBytesMax = 65_536
const smallBytesMax = 1_024 * smallBodyBytesMax

/** A push that is too large (specification, `POST /v1/ingest`). */
const pushTooLarge = (): ApiError =>
  new ApiError('invalid_argument', `The body is larger than ${bodyBytesMax} bytes.`, {
    status: 413,
    field: 'body',
  })

const brokenOff = (): ApiError => invalidArgument('The body ended before its end.', 'body')

/** Reads on and throws away, within bounds; then the connection is closed. */
const drain = (message: IncomingMessage): void => {
  let bytes = 0
  const stop = (): void => {
    if (!message.complete) message.destroy()
  }
  const timer = setTimeout(stop, drainMs)
  timer.unref()
  message.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > drainBytesMax) stop()
  })
  message.on('close', () => clearTimeout(timer))
  message.on('error', () => {})
  message.resume()
}

/** How many bytes of bodies a process holds. */
export interface HeldBytes {
  take(bytes: number): void
  release(bytes: number): void
}

/** `take` throws an `OverloadedError` when there is no room. */
const createHeldBytes = (max: number): HeldBytes => {
  let held = 0
  return {
    take: (bytes) => {
      if (held + bytes > max) throw new OverloadedError('too many bytes of bodies are in memory')
      held += bytes
    },
    release: (bytes) => {
      held -= bytes
    },
  }
}

/** Gives the room that a body is held in, by the length that it announces. One for a process. */
export type RoomFor = (headers: IncomingHttpHeaders) => HeldBytes

export const createRooms = (): RoomFor => {
  const small = createHeldBytes(smallBytesMax)
  const large = createHeldBytes(largeBytesMax)
  return (headers) => (Number(headers['content-length']) <= smallBodyBytesMax ? small : large)
}

const whole = (chunks: readonly Buffer[], bytes: number): Buffer => {
  if (chunks.length === 1) return chunks[0]!
  // Owns its whole buffer, so that it can be handed to a thread.
  const body = Buffer.allocUnsafeSlow(bytes)
  let at = 0
  for (const chunk of chunks) at += chunk.copy(body, at)
  return body
}

/**
 * A body that is there already, as nearly every small one is once its call is admitted. Undefined: `readBody` waits for
 * it. The caller releases what was taken of `held`.
 */
export const takeArrivedBody = (message: IncomingMessage, held: HeldBytes): Buffer | undefined => {
  const { complete, readableLength } = message
  if (!complete || readableLength === 0 || readableLength > smallBodyBytesMax) return undefined
  held.take(readableLength)
  const chunks: Buffer[] = []
  // A stream gives what it holds in one piece or in several, and ends when it is asked once more.
  for (let bytes = 0; bytes < readableLength;) {
    const chunk = message.read() as Buffer
    chunks.push(chunk)
    bytes += chunk.length
  }
  return whole(chunks, readableLength)
}

export interface ReadBodyOptions {
  /** False: counts only, and gives an empty buffer. */
  keep?: boolean
  /** What is thrown where it is too large; that of a push unless said. */
  tooLarge?: () => ApiError
  /** Told of every piece as it comes. */
  onChunk?: (chunk: Buffer) => void
}

/**
 * Reads a body and counts it while it comes. Throws `tooLarge` at the first byte above 8,388,608, or at once where
 * `Content-Length` says so; the rest is read and thrown away for a bounded while (reading `push.media`).
 * The caller releases what was taken of `held` when it is done with the body.
 */
export const readBody = (
  message: IncomingMessage,
  held: HeldBytes,
  options: ReadBodyOptions = {},
): Promise<Buffer> => {
  const { keep = true, tooLarge = pushTooLarge, onChunk } = options
  if (Number(message.headers['content-length']) > bodyBytesMax) {
    drain(message)
    return Promise.reject(tooLarge())
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0

    const fail = (error: Error): void => {
      message.off('data', onData).off('end', onEnd).off('close', onClose)
      if (keep) held.release(bytes)
      reject(error)
    }
    const onData = (chunk: Buffer): void => {
      if (bytes + chunk.length > bodyBytesMax) {
        fail(tooLarge())
        drain(message)
        return
      }
      if (keep) {
        try {
          held.take(chunk.length)
        } catch (error) {
          fail(error as Error)
          drain(message)
          return
        }
        chunks.push(chunk)
      }
      bytes += chunk.length
      onChunk?.(chunk)
    }
    const onEnd = (): void => {
      message.off('close', onClose)
      resolve(whole(chunks, keep ? bytes : 0))
    }
    const onClose = (): void => fail(brokenOff())

    if (message.destroyed && !message.complete) {
      reject(brokenOff())
      return
    }
    message.on('data', onData).on('end', onEnd).on('close', onClose)
    // A break is told by `close` as well; without a listener it would end the process.
    message.on('error', () => {})
  })
}
