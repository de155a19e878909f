import { connect, type Socket } from 'node:net'

/** What came back on a connection. */
export interface RawAnswer {
  /** 0 where the connection was closed without one. */
  status: number
  /** In lower case. */
  head: string
  body: string
  /** Neither answered nor closed in time. */
  isHung: boolean
}

/** Sends bytes as they are, one request after the other on a connection that it keeps. */
export interface RawClient extends Disposable {
  /** `isBroken`: its framing is not to be trusted, so that the connection is given up afterwards. */
  exchange(bytes: Buffer, options: { isBroken: boolean; isHead: boolean }): Promise<RawAnswer>
}

/** A request that is waited for in vain is ended, as a client does that has no more to say. */
const patienceMs = 300
const hungMs = 20_000

interface Parsed {
  status: number
  head: string
  body: string
}

/** The end of the chunks, or undefined while they are not all there. */
const chunkedBody = (text: string, from: number): string | undefined => {
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

/** The first answer of what came, once it is whole; one without a length is whole when the connection is closed. */
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
    const body = chunkedBody(text, from)
    return body === undefined ? undefined : { status, head, body }
  }
  return isClosed ? { status, head, body: text.slice(from) } : undefined
}

export const createRawClient = (url: string): RawClient => {
  const { hostname, port } = new URL(url)
  let kept: Socket | undefined

  const exchange: RawClient['exchange'] = ({ buffer, byteOffset, byteLength }, { isBroken, isHead }) =>
    new Promise((resolve) => {
      if (isBroken || kept?.destroyed) {
        // Left open it would hold a port of this machine, of which there are fewer than inputs.
        kept?.destroy()
        kept = undefined
      }
      const socket =
        kept ?? connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true })
      let text = ''
      let isDone = false
      const end = (answer: Partial<RawAnswer>, keep: boolean): void => {
        if (isDone) return
        isDone = true
        clearTimeout(impatient)
        clearTimeout(hung)
        socket.removeAllListeners()
        socket.on('error', () => {})
        kept = keep ? socket : undefined
        if (!keep) socket.destroy()
        resolve({ status: 0, head: '', body: '', isHung: false, ...answer })
      }
      const look = (isClosed: boolean): void => {
        const answer = parse(text, isHead, isClosed)
        if (answer === undefined) {
          if (isClosed) end({}, false)
          return
        }
        const keep = !isBroken && !isClosed && !answer.head.includes('\r\nconnection: close')
        end({ ...answer, body: Buffer.from(answer.body, 'latin1').toString() }, keep)
      }
      const impatient = setTimeout(() => isBroken && socket.end(), patienceMs)
      const hung = setTimeout(() => end({ isHung: true }, false), hungMs)
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1')
        look(false)
      })
      socket.on('end', () => look(true))
      socket.on('close', () => look(true))
      socket.on('error', () => look(true))
      socket.write(Buffer.from(buffer, byteOffset, byteLength))
    })
  return { exchange, [Symbol.dispose]: () => void kept?.destroy() }
}
