/**
 * A thin load generator of reads: keep-alive HTTP over raw sockets, one request under way on each. Reads its job as JSON
 * from the command line and prints its result as JSON.
 */
import { connect } from 'node:net'

export interface GetJob {
  port: number
  path: string
  clients: number
  seconds: number
  /** Clients take them in turn. */
  credentials: string[]
}

export interface GetResult {
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** Answers other than 200. */
  refused: number
  answerBytes: number
}

const run = async (job: GetJob): Promise<GetResult> => {
  const requestOf = (index: number): Buffer =>
    Buffer.from(
      `GET ${job.path} HTTP/1.1\r\nHost: 127.0.0.1:${job.port}\r\n` +
        `Authorization: Bearer ${job.credentials[index % job.credentials.length]}\r\n\r\n`,
    )
  const tookMs: number[] = []
  let measuring = false
  let done = false
  let refused = 0
  let answerBytes = 0

  const client = (index: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const request = requestOf(index)
      let sentAtMs = 0
      let missing = -1
      const socket = connect(job.port, '127.0.0.1')
      socket.setNoDelay(true)
      const send = (): void => {
        sentAtMs = performance.now()
        missing = -1
        socket.write(request)
      }
      socket.on('data', (chunk: Buffer) => {
        if (missing < 0) {
          // Heads are short, and come in one piece on a loopback.
          const headEnd = chunk.indexOf('\r\n\r\n')
          const length = Number(/content-length: (\d+)/i.exec(chunk.toString('latin1', 0, headEnd))?.[1])
          if (chunk.toString('latin1', 9, 12) !== '200') refused++
          answerBytes = length
          missing = length + headEnd + 4
        }
        missing -= chunk.length
        if (missing > 0) return
        if (measuring) tookMs.push(performance.now() - sentAtMs)
        if (done) socket.end()
        else send()
      })
      socket.on('connect', send)
      socket.on('close', () => resolve())
      socket.on('error', reject)
    })

  const clients = Array.from({ length: job.clients }, (_, index) => client(index))
  await new Promise((resolve) => setTimeout(resolve, job.seconds * 250))
  measuring = true
  const startedMs = performance.now()
  await new Promise((resolve) => setTimeout(resolve, job.seconds * 1_000))
  measuring = false
  const seconds = (performance.now() - startedMs) / 1_000
  done = true
  await Promise.all(clients)
  tookMs.sort((a, b) => a - b)
  const quantile = (part: number): number => tookMs[Math.floor((tookMs.length - 1) * part)] ?? 0
  return {
    perSecond: tookMs.length / seconds,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    refused,
    answerBytes,
  }
}

process.stdout.write(JSON.stringify(await run(JSON.parse(process.argv[2]!) as GetJob)))
