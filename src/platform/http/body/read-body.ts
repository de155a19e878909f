import type { IncomingMessage } from 'node:http'
import { type ApiError, invalidArgument } from '../errors/errors.ts'
import { type ReservedBody, smallBodyBytesMax } from './body-budget.ts'

/**
 * What is read and thrown away of a body that is refused, so that its sender sees the answer. Then the connection
 * ends.
 */
export const refusedBodyBytesMax = 64 * 1_048_576
/** How long it is read and thrown away. Then the connection ends. Milliseconds. */
export const refusedBodyMsMax = 10_000

function brokenOff(): ApiError {
  return invalidArgument('The body ended before its end.', 'body')
}

/** Reads on and throws away, within bounds; then the connection is closed. */
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
 * A body that is there already, as nearly every small one is once its call is admitted. Undefined: `readBody` waits for
 * it. Throws an `OverloadedError` where there is no room. The caller releases `held`.
 */
export function consumeArrivedBody(message: IncomingMessage, held: ReservedBody): Buffer | undefined {
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
  /** Bytes. */
  bytesMax: number
  /** What is thrown when it is larger. */
  tooLarge: () => ApiError
  /** False: counts only, and gives an empty buffer. */
  keep?: boolean
  /** Told of every piece as it comes. */
  onChunk?: (chunk: Buffer) => void
}

/**
 * Reads a body and counts it while it comes. Throws `tooLarge` at the first byte above `bytesMax`, or at once where
 * `Content-Length` says so; 408 where it comes too slowly, and an `OverloadedError` where it has to give way to others
 * (`body-room.ts`). The rest is read and thrown away for a bounded while [push.media]. The caller releases `held`.
 */
export function readBody(
  message: IncomingMessage,
  held: ReservedBody,
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
      held.release()
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
          held.take(chunk.length)
        } catch (error) {
          refuse(error as Error)
          return
        }
        chunks.push(chunk)
      } else held.pass(chunk.length)
      bytes += chunk.length
      onChunk?.(chunk)
    }
    const onEnd = (): void => {
      message.off('close', onClose)
      held.arrived()
      resolve(whole(chunks, keep ? bytes : 0))
    }
    const onClose = (): void => fail(brokenOff())

    if (message.destroyed && !message.complete) {
      reject(brokenOff())
      return
    }
    held.waitFor(refuse)
    message.on('data', onData).on('end', onEnd).on('close', onClose)
    // `close` tells of a break as well; an error without a listener would end the process.
    message.on('error', () => {})
  })
}
