import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection over which a test writes bytes itself. */
export interface RawConnection extends Disposable {
  socket: Socket
  send(bytes: string | Uint8Array): void
  /** Everything received, once the other side has closed. */
  untilClosed(msMax?: number): Promise<string>
  /** Everything received so far, once this is part of it. @throws if the connection is closed before */
  until(part: string): Promise<string>
  /** Everything received so far, once it contains this many answers. */
  untilAnswers(count: number): Promise<string>
}

const waitMsMax = 10_000
const answerStart = /HTTP\/1\.1 \d{3} /g

/** The statuses of the answers received on a connection. */
export const statusesOf = (text: string): number[] =>
  [...text.matchAll(answerStart)].map(([start]) => Number(start.slice(9, 12)))

/**
 * Opens a connection to a service.
 *
 * @param localAddress the client's, for a client in another network
 */
export async function openRaw(url: string, localAddress?: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, ...(localAddress && { localAddress }) })
  let text = ''
  let isClosed = false
  const waiting = new Set<() => void>()
  const check = (): void => {
    for (const each of waiting) each()
  }
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    text += String(chunk)
    check()
  })
  socket.on('close', () => {
    isClosed = true
    check()
  })
  await once(socket, 'connect')
  // A reset counts as an end: the tests are about what came before it.
  socket.on('error', () => {})

  const waitFor = async (isThere: () => boolean, msMax = waitMsMax): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const each = (): void => {
      if (isThere() || isClosed) resolve()
    }
    waiting.add(each)
    const timer = setTimeout(resolve, msMax)
    each()
    await promise
    clearTimeout(timer)
    waiting.delete(each)
    if (!isThere()) {
      throw new Error(
        `${isClosed ? 'closed' : 'timed out'} too early, having received ${JSON.stringify(text)}`,
      )
    }
    return text
  }

  return {
    socket,
    send: (bytes) => void socket.write(bytes),
    untilClosed: (msMax) => waitFor(() => isClosed, msMax),
    until: (part) => waitFor(() => text.includes(part)),
    untilAnswers: (count) => waitFor(() => statusesOf(text).length >= count),
    [Symbol.dispose]: () => void socket.destroy(),
  }
}
