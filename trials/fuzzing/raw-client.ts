import { connect, type Socket } from 'node:net'

/** The answer on a connection. */
export interface RawAnswer {
  /** 0 if the connection was closed without an answer. */
  status: number
  /** Lower case. */
  head: string
  body: string
  /** Neither answered nor closed in time. */
  isHung: boolean
}

/** Sends raw bytes, one request at a time over a persistent connection. */
export interface RawClient extends Disposable {
  /** `isBroken`: the framing may be broken, so the connection is not used again. */
  exchange(bytes: Buffer, options: { isBroken: boolean; isHead: boolean }): Promise<RawAnswer>
}

/** After this time without an answer the client half-closes a broken request's connection. */
const halfCloseMs = 300
const hungMs = 20_000

interface Parsed {
  status: number
  head: string
  body: string
}

/** Undefined while the body is incomplete. */
const readChunkedBody = (text: string, from: number): string | undefined => {
  let body = ''
  for (let at = from; ;) {
    const lineEnd = text.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(text.slice(at, lineEnd), 16)
    if (!(size > 0)) return body
    if (text.length < lineEnd + 2 + size) return undefined
    body += text.slice(lineEnd + 2, lineEnd + 2 + size)
    at = lineEnd + 2 + size + 2
  }
}

/** The first complete answer; one without a length is complete when the connection is closed. */
const parse = (text: string, isHead: boolean, isClosed: boolean): Parsed | undefined => {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = text.slice(0, headEnd).toLowerCase()
  const status = Number(head.slice('http/1.1 '.length, 'http/1.1 '.length + 3))
  const from = headEnd + 4
  if (status < 200) return parse(text.slice(from), isHead, isClosed)
  const length = /\r\ncontent-length: (\d+)/.exec(head)
  if (isHead || status === 204 || status === 304) return { status, head, body: '' }
  if (length) {
    const bytes = Number(length[1])
    return text.length - from >= bytes ? { status, head, body: text.slice(from, from + bytes) } : undefined
  }
  if (head.includes('\r\ntransfer-encoding: chunked')) {
    const body = readChunkedBody(text, from)
    return body === undefined ? undefined : { status, head, body }
  }
  return isClosed ? { status, head, body: text.slice(from) } : undefined
}

export const createRawClient = (url: string): RawClient => {
  const { hostname, port } = new URL(url)
  let persistent: Socket | undefined

  const exchange: RawClient['exchange'] = ({ buffer, byteOffset, byteLength }, { isBroken, isHead }) =>
    new Promise((resolve) => {
      if (isBroken || persistent?.destroyed) {
        // There are fewer local ports than inputs.
        persistent?.destroy()
        persistent = undefined
      }
      const socket =
        persistent ?? connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true })
      let text = ''
      let isDone = false
      const end = (answer: Partial<RawAnswer>, keep: boolean): void => {
        if (isDone) return
        isDone = true
        clearTimeout(halfClose)
        clearTimeout(hung)
        socket.removeAllListeners()
        socket.on('error', () => {})
        persistent = keep ? socket : undefined
        if (!keep) socket.destroy()
        resolve({ status: 0, head: '', body: '', isHung: false, ...answer })
      }
      const onData = (isClosed: boolean): void => {
        const answer = parse(text, isHead, isClosed)
        if (answer === undefined) {
          if (isClosed) end({}, false)
          return
        }
        const keep = !isBroken && !isClosed && !answer.head.includes('\r\nconnection: close')
        end({ ...answer, body: Buffer.from(answer.body, 'latin1').toString() }, keep)
      }
      const halfClose = setTimeout(() => isBroken && socket.end(), halfCloseMs)
      const hung = setTimeout(() => end({ isHung: true }, false), hungMs)
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1')
        onData(false)
      })
      socket.on('end', () => onData(true))
      socket.on('close', () => onData(true))
      socket.on('error', () => onData(true))
      socket.write(Buffer.from(buffer, byteOffset, byteLength))
    })
  return { exchange, [Symbol.dispose]: () => void persistent?.destroy() }
}
