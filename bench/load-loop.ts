/** The loop of load generators: keep-alive HTTP over raw sockets, one request at a time on each. */
import { connect } from 'node:net'

export interface LoadClient {
  next(): Buffer
  /** @param chunk of the answer, in a buffer that is reused @returns `done`: the client sends no more */
  onData(chunk: Buffer): 'incomplete' | 'complete' | 'done'
}

export interface LoadFigures {
  perSecond: number
  p50Ms: number
  p99Ms: number
}

const chunkBytesMax = 65_536

/**
 * Each client sends its next request once the last one is answered. Measures for `seconds`, after a warm-up of a fifth of
 * them.
 */
export const runLoad = async (
  { port, seconds }: { port: number; seconds: number },
  clients: readonly LoadClient[],
): Promise<LoadFigures> => {
  const durationsMs: number[] = []
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
          buffer: Buffer.allocUnsafe(chunkBytesMax),
          callback: (bytes, buffer) => {
            const state = client.onData((buffer as Buffer).subarray(0, bytes))
            if (state === 'incomplete') return true
            if (state === 'complete' && measuring) durationsMs.push(performance.now() - sentAtMs)
            if (state === 'done' || done) socket.end()
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
  durationsMs.sort((a, b) => a - b)
  const quantile = (part: number): number => durationsMs[Math.floor((durationsMs.length - 1) * part)] ?? 0
  return { perSecond: durationsMs.length / measuredSeconds, p50Ms: quantile(0.5), p99Ms: quantile(0.99) }
}
