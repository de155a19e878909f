import type { IncomingMessage } from 'node:http'
import { type ApiError, invalidArgument } from '../errors/errors.ts'
import { type ReservedBody, smallBodyBytesMax } from './body-budget.ts'

/** The most that is read and discarded of a refused body, so that its sender sees the answer. Then the connection ends. */
const refusedBodyBytesMax = 64 * 1_048_576
/** How long a refused body is read and discarded. Then the connection ends. Milliseconds. */
const refusedBodyMsMax = 10_000

function truncated(): ApiError {
  return invalidArgument('The body ended early.', 'body')
}

/** Reads and discards within bounds, then closes the connection. */
function drain(message: IncomingMessage): void {
  let bytes = 0
  const stop = (): void => {
    if (!message.complete) message.destroy()
  }
  const timer = setTimeout(stop, refusedBodyMsMax)
  timer.unref()
  message.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > refusedBodyBytesMax) stop()
  })
  message.on('close', () => clearTimeout(timer))
  message.on('error', () => {})
  message.resume()
}

function whole(chunks: readonly Buffer[], bytes: number): Buffer {
  if (chunks.length === 1) return chunks[0]!
  // Owns its whole buffer, so that it can be handed to a thread.
  const body = Buffer.allocUnsafeSlow(bytes)
  let at = 0
  for (const chunk of chunks) at += chunk.copy(body, at)
  return body
}

/**
 * A small body that has arrived completely, as most have by the time their call is admitted; otherwise undefined. Throws an
 * `OverloadedError` where the budget has no bytes left. The caller releases the reservation.
 */
export function consumeArrivedBody(message: IncomingMessage, reserved: ReservedBody): Buffer | undefined {
  const { complete, readableLength } = message
  if (!complete || readableLength === 0 || readableLength > smallBodyBytesMax) return undefined
  reserved.reserve(readableLength)
  const chunks: Buffer[] = []
  // A stream may return its buffer in several pieces, and ends with the read after the last one.
  for (let bytes = 0; bytes < readableLength;) {
    const chunk = message.read() as Buffer
    chunks.push(chunk)
    bytes += chunk.length
  }
  return whole(chunks, readableLength)
}

export interface ReadBodyOptions {
  /** Bytes. */
  bytesMax: number
  /** The error of a larger body. */
  tooLarge: () => ApiError
  /** False: only counts, and returns an empty buffer. */
  keep?: boolean
  /** Called for every piece as it arrives. */
  onChunk?: (chunk: Buffer) => void
}

/**
 * Reads a body and counts it as it arrives. Throws `tooLarge` at the first byte above `bytesMax`, or before reading where
 * `Content-Length` says so; 408 where it arrives too slowly, and an `OverloadedError` where it has to give way to others
 * (`body-budget.ts`). The rest is read and discarded within bounds [push.media]. The caller releases the reservation.
 */
export function readBody(
  message: IncomingMessage,
  reserved: ReservedBody,
  options: ReadBodyOptions,
): Promise<Buffer> {
  const { bytesMax, tooLarge, keep = true, onChunk } = options
  if (Number(message.headers['content-length']) > bytesMax) {
    drain(message)
    return Promise.reject(tooLarge())
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0

    const fail = (error: Error): void => {
      message.off('data', onData).off('end', onEnd).off('close', onClose)
      reserved.release()
      reject(error)
    }
    const refuse = (error: Error): void => {
      fail(error)
      drain(message)
    }
    const onData = (chunk: Buffer): void => {
      if (bytes + chunk.length > bytesMax) {
        refuse(tooLarge())
        return
      }
      if (keep) {
        try {
          reserved.reserve(chunk.length)
        } catch (error) {
          refuse(error as Error)
          return
        }
        chunks.push(chunk)
      } else reserved.count(chunk.length)
      bytes += chunk.length
      onChunk?.(chunk)
    }
    const onEnd = (): void => {
      message.off('close', onClose)
      reserved.complete()
      resolve(whole(chunks, keep ? bytes : 0))
    }
    const onClose = (): void => fail(truncated())

    if (message.destroyed && !message.complete) {
      reject(truncated())
      return
    }
    reserved.onCut(refuse)
    message.on('data', onData).on('end', onEnd).on('close', onClose)
    // `close` follows an error, too; without a listener the error would end the process.
    message.on('error', () => {})
  })
}
