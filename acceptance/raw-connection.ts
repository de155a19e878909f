import { once } from 'node:events'
import { connect } from 'node:net'

/** A connection on which a test says every byte itself. */
export interface RawConnection extends Disposable {
  send(bytes: string | Uint8Array): void
  /** Says that nothing more comes; what the other side says is still read. */
  end(): void
  /** Breaks the connection off. */
  hangUp(): void
  /** All that came, once the other side has closed. */
  untilClosed(): Promise<string>
  /** All that came so far, once it holds so many answers. */
  untilAnswers(count: number): Promise<string>
}

const waitMsMax = 10_000
const answerStart = /HTTP\/1\.1 \d{3} /g

/** The statuses of the answers in what came over a connection. */
export const statusesOf = (text: string): number[] =>
  [...text.matchAll(answerStart)].map(([start]) => Number(start.slice(9, 12)))

export const openRaw = async (url: string): Promise<RawConnection> => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  await once(socket, 'connect')
  let text = ''
  let isClosed = false
  let check: (() => void) | undefined
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    text += chunk
    check?.()
  })
  socket.on('end', () => {
    isClosed = true
    socket.end()
    check?.()
  })
  // A reset is an end: what counts is what came before it.
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
    check?.()
  })

  const until = (isThere: () => boolean): Promise<string> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`waited in vain; this came: ${JSON.stringify(text)}`)),
        waitMsMax,
      )
      check = () => {
        if (!isThere() && !isClosed) return
        clearTimeout(timer)
        resolve(text)
      }
      check()
    })

  return {
    send: (bytes) => void socket.write(bytes),
    end: () => void socket.end(),
    hangUp: () => void socket.destroy(),
    untilClosed: () => until(() => isClosed),
    untilAnswers: (count) => until(() => statusesOf(text).length >= count),
    [Symbol.dispose]: () => void socket.destroy(),
  }
}
