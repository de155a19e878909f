import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { corsHeaders } from './cors.ts'
import type { WriteErrorBody } from './errors/error-body.ts'
import { ApiError } from './errors/errors.ts'
import { answerRaw, currentAnswer } from './raw-answer.ts'
import { newRequestId } from './requests/request-id.ts'

/** Of all headers of a request together; larger ones are 431. */
export const headerBytesMax = 16_384

/** As Node's parser raises it: with the piece that it was reading, and how far it came in it. */
type ConnectionFault = Error & { code?: string; rawPacket?: unknown; bytesParsed?: unknown }

const answered = new WeakSet<Socket>()

/** Enough for every address that there is. */
const targetBytesMax = 1_024

/** A query too long to be read to its end makes no difference. */
const requestLine = /^[A-Z]+ ([^\s?]+)[ ?]/

function targetBehind(packet: Buffer, emptyLine: number): string | undefined {
  const start = emptyLine < 0 ? 0 : emptyLine + 4
  return requestLine.exec(packet.toString('latin1', start, start + targetBytesMax))?.[1]
}

/**
 * The target of the request that broke: of the one whose head was read, else of the request line, where it came in the same
 * piece as what is wrong. Bodies and what came before end with an empty line.
 */
function brokenTarget(fault: ConnectionFault, current: IncomingMessage | undefined): string | undefined {
  if (current !== undefined) return current.url
  const { rawPacket, bytesParsed } = fault
  if (!Buffer.isBuffer(rawPacket)) return undefined
  const until = typeof bytesParsed === 'number' ? bytesParsed : rawPacket.length
  const lastEnd = rawPacket.lastIndexOf('\r\n\r\n', until)
  // The last empty line may be that of the broken head itself.
  return (
    targetBehind(rawPacket, lastEnd) ??
    targetBehind(rawPacket, rawPacket.lastIndexOf('\r\n\r\n', Math.max(0, lastEnd - 4)))
  )
}

function errorFor(code: string | undefined): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('invalid_argument', 'The request has larger headers than this service reads.', {
        status: 431,
      })
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      // `internal`, since what the caller should do is what that code says: send it again.
      return new ApiError('internal', 'The request did not arrive in time; send it again.', { status: 408 })
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ApiError('too_large', 'The body has larger chunk extensions than this service reads.')
    default:
      return new ApiError('invalid_argument', 'This is not a well-formed HTTP request.')
  }
}

/**
 * Answers what never became a request, or broke off inside one: bytes that are no HTTP, too large headers, a body
 * that does not arrive. Every such connection ends here. For `clientErrorHandler`.
 */
export function createBrokenConnectionHandler(
  writeErrorBody: WriteErrorBody,
): (fault: ConnectionFault, socket: Socket) => void {
  return (fault, socket) => {
    if (fault.code === 'ECONNRESET' || socket.destroyed || answered.has(socket)) return
    answered.add(socket)
    const current = currentAnswer(socket)
    if (current?.req.complete === true) {
      // The answer to a whole request is on its way; what came after it is broken. An answer written here would be
      // taken for that one.
      current.shouldKeepAlive = false
      return
    }
    if (!socket.writable || current?.headersSent === true) {
      socket.destroy()
      return
    }
    const error = errorFor(fault.code)
    const requestId = newRequestId()
    const { body, link } = writeErrorBody(brokenTarget(fault, current?.req), fault, error, requestId)
    answerRaw(socket, {
      status: error.status,
      requestId,
      body,
      headers: {
        Link: link,
        'Access-Control-Allow-Origin': corsHeaders['access-control-allow-origin'],
        'Access-Control-Expose-Headers': corsHeaders['access-control-expose-headers'],
      },
    })
  }
}
