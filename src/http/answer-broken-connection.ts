import type { Socket } from 'node:net'
import { corsHeaders } from './cors.ts'
import { ApiError } from './errors.ts'
import { answerRaw, currentAnswer } from './raw-answer.ts'

const answered = new WeakSet<Socket>()

const errorFor = (code: string | undefined): ApiError => {
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
 * that does not arrive. Every such connection ends here.
 */
export const answerBrokenConnection = (fault: Error & { code?: string }, socket: Socket): void => {
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
  answerRaw(socket, {
    status: error.status,
    body: error.toBody(),
    headers: { 'Access-Control-Allow-Origin': corsHeaders['access-control-allow-origin'] },
  })
}
