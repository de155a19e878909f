import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface HeldOptions {
  /** The request up to the empty line; without it. */
  head: string
  /** What its `Content-Length` announces. */
  bodyBytes: number
  /** How many bytes of that are held back. */
  heldBytes: number
  /** Gives the last ones one at a time with this pause between, in milliseconds; never unless told. */
  dripMs?: number
}

/** Connections on which a request was begun and is not ended. */
export interface HeldConnections extends AsyncDisposable {
  /** Sent as far as they are to be; or the service has cut them. */
  settled: Promise<unknown>
  /** Neither answered nor cut. */
  held(): number
}

const pieceBytes = 65_536

/** Whoever reads no more of it may close it: that is one way to refuse. */
const fill = async (socket: Socket, options: HeldOptions): Promise<void> => {
  const { head, bodyBytes, heldBytes, dripMs } = options
  socket.write(`${head}\r\nContent-Length: ${bodyBytes}\r\n\r\n`)
  const piece = Buffer.alloc(pieceBytes, 0x20)
  for (let left = bodyBytes - heldBytes; left > 0 && !socket.destroyed; left -= pieceBytes) {
    if (!socket.write(piece.subarray(0, Math.min(left, pieceBytes)))) {
      await Promise.race([once(socket, 'drain'), once(socket, 'close')])
    }
  }
  if (dripMs === undefined) return
  let left = heldBytes
  const timer = setInterval(() => {
    if (socket.destroyed || --left === 0) clearInterval(timer)
    else socket.write(' ')
  }, dripMs)
  socket.on('close', () => clearInterval(timer))
}

export const holdConnections = (url: string, count: number, options: HeldOptions): HeldConnections => {
  const { hostname, port } = new URL(url)
  const held = new Set<Socket>()
  const sockets = Array.from({ length: count }, () => {
    const socket = connect({ host: hostname, port: Number(port) })
    held.add(socket)
    for (const event of ['data', 'end', 'close', 'error']) socket.on(event, () => held.delete(socket))
    return socket
  })
  const settled = Promise.all(
    sockets.map(async (socket) => {
      await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => {})
      await fill(socket, options).catch(() => {})
    }),
  )
  return {
    settled,
    held: () => held.size,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}
