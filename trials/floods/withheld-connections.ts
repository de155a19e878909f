import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface WithheldOptions {
  /** The request line and headers, without the empty line. */
  head: string
  /** The `Content-Length`. */
  bodyBytes: number
  /** The bytes at the end that are withheld. */
  withheldBytes: number
  /** Sends the withheld bytes one at a time at this interval; undefined: never. */
  dripMs?: number
}

/** Connections with an incomplete request. */
export interface WithheldConnections extends AsyncDisposable {
  /** All are either sent as far as intended or closed by the service. */
  settled: Promise<unknown>
  /** The number of connections without an answer that are still open. */
  countOpen(): number
}

const chunkBytes = 65_536

/** The service may refuse by closing the connection. */
const sendPart = async (socket: Socket, options: WithheldOptions): Promise<void> => {
  const { head, bodyBytes, withheldBytes, dripMs } = options
  socket.write(`${head}\r\nContent-Length: ${bodyBytes}\r\n\r\n`)
  const chunk = Buffer.alloc(chunkBytes, 0x20)
  for (let left = bodyBytes - withheldBytes; left > 0 && !socket.destroyed; left -= chunkBytes) {
    if (!socket.write(chunk.subarray(0, Math.min(left, chunkBytes)))) {
      await Promise.race([once(socket, 'drain'), once(socket, 'close')])
    }
  }
  if (dripMs === undefined) return
  let left = withheldBytes
  const timer = setInterval(() => {
    if (socket.destroyed || --left === 0) clearInterval(timer)
    else socket.write(' ')
  }, dripMs)
  socket.on('close', () => clearInterval(timer))
}

export const withholdConnections = (
  url: string,
  count: number,
  options: WithheldOptions,
): WithheldConnections => {
  const { hostname, port } = new URL(url)
  const open = new Set<Socket>()
  const sockets = Array.from({ length: count }, () => {
    const socket = connect({ host: hostname, port: Number(port) })
    open.add(socket)
    for (const event of ['data', 'end', 'close', 'error']) socket.on(event, () => open.delete(socket))
    return socket
  })
  const settled = Promise.all(
    sockets.map(async (socket) => {
      await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => {})
      await sendPart(socket, options).catch(() => {})
    }),
  )
  return {
    settled,
    countOpen: () => open.size,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}
