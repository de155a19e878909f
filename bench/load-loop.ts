/** The loop of load generators: keep-alive HTTP over raw sockets, one request under way on each. */
import { connect } from 'node:net'

export interface LoadClient {
  /** Its next request. */
  next(): Buffer
  /** Takes a piece of the answer, in a buffer that is used again; `ended`: it sends no more. */
  take(piece: Buffer): 'goes on' | 'whole' | 'ended'
}

export interface LoadFigures {
  perSecond: number
  p50Ms: number
  p99Ms: number
}

const pieceBytesMax = 65_536

/** Each client sends as fast as it is answered. It is measured for so many seconds; before that the load runs for a fifth of them. */
export const runLoad = async (
  { port, seconds }: { port: number; seconds: number },
  clients: readonly LoadClient[],
): Promise<LoadFigures> => {
  const tookMs: number[] = []
  let measuring = false
  let done = false

  const run = (client: LoadClient): Promise<void> =>
    new Promise((resolve, reject) => {
      let sentAtMs = 0
      const socket = connect({
        port,
        host: '127.0.0.1',
        noDelay: true,
        onread: {
          buffer: Buffer.allocUnsafe(pieceBytesMax),
          callback: (bytes, buffer) => {
            const state = client.take((buffer as Buffer).subarray(0, bytes))
            if (state === 'goes on') return true
            if (state === 'whole' && measuring) tookMs.push(performance.now() - sentAtMs)
            if (state === 'ended' || done) socket.end()
            else send()
            return true
          },
        },
      })
      const send = (): void => {
        sentAtMs = performance.now()
        socket.write(client.next())
      }
      socket.on('connect', send)
      socket.on('close', () => resolve())
      socket.on('error', reject)
    })

  const running = clients.map(run)
  await new Promise((resolve) => setTimeout(resolve, seconds * 200))
  measuring = true
  const startedMs = performance.now()
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
  measuring = false
  const measuredSeconds = (performance.now() - startedMs) / 1_000
  done = true
  await Promise.all(running)
  tookMs.sort((a, b) => a - b)
  const quantile = (part: number): number => tookMs[Math.floor((tookMs.length - 1) * part)] ?? 0
  return { perSecond: tookMs.length / measuredSeconds, p50Ms: quantile(0.5), p99Ms: quantile(0.99) }
}
