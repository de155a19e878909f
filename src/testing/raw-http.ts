import { connect, type Socket } from 'node:net'

/** A connection on which a test says every byte itself. */
export interface RawConnection {
  socket: Socket
  send(text: string): void
  /** All that came, once the other side has closed; throws where it has not within ten seconds, or as many as are given. */
  untilClosed(msMax?: number): Promise<string>
  /** All that came so far, once it holds this. */
  until(part: string): Promise<string>
}

const waitMsMax = 10_000

/** Opens a connection to a service under test; from another loopback address, and so from another network, where one is given. */
export const openRaw = async (url: string, localAddress?: string): Promise<RawConnection> => {
  const { hostname, port } = new URL(url)
  let text = ''
  let closed = false
  const waiting = new Set<() => void>()
  const socket = connect({ port: Number(port), host: hostname, ...(localAddress && { localAddress }) })
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    text += String(chunk)
    for (const check of waiting) check()
  })
  // A reset counts as an end: what matters is what had come before it.
  socket.on('error', () => {})
  socket.on('close', () => {
    closed = true
    for (const check of waiting) check()
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })

  const waitFor = (isThere: () => boolean, msMax = waitMsMax): Promise<string> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(check)
        reject(new Error(`waited in vain; this came: ${JSON.stringify(text)}`))
      }, msMax)
      const check = (): void => {
        if (!isThere() && !closed) return
        clearTimeout(timer)
        waiting.delete(check)
        if (isThere()) resolve(text)
        else reject(new Error(`closed too early; this came: ${JSON.stringify(text)}`))
      }
      waiting.add(check)
      check()
    })

  return {
    socket,
    send: (bytes) => void socket.write(bytes),
    untilClosed: (msMax) => waitFor(() => closed, msMax),
    until: (part) => waitFor(() => text.includes(part)),
  }
}
