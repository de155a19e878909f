/**
 * Refreshes as fast as answers come: each client has a connection and a refresh token of its own, and sends the token of its
 * last answer. Reads its job as JSON from the command line and prints its result as JSON.
 *
 *   node bench/oauth/refresh-load.ts '{"port":8080,"path":"/oauth/token","seconds":3,"clients":[{"clientId":"…","refreshToken":"…"}]}'
 */
import { connect } from 'node:net'

export interface Refresher {
  clientId: string
  refreshToken: string
}

export interface RefreshJob {
  port: number
  path: string
  /** How long it is measured; before it the load runs for a fifth of it. */
  seconds: number
  clients: Refresher[]
}

export interface RefreshResult {
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** Answers other than 200. */
  refused: number
  /** What to go on with. */
  clients: Refresher[]
}

const answerBytesMax = 8_192

/** The whole body of an answer; undefined where more of it is to come. */
const bodyOf = (answer: string): string | undefined => {
  const headEnd = answer.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const bodyBytes = Number(/\r\ncontent-length: (\d+)/i.exec(answer.slice(0, headEnd))?.[1])
  const body = answer.slice(headEnd + 4)
  return body.length < bodyBytes ? undefined : body
}

const run = async (job: RefreshJob): Promise<RefreshResult> => {
  const tookMs: number[] = []
  const state = { measuring: false, done: false, refused: 0 }

  const refreshOn = (given: Refresher): Promise<Refresher> =>
    new Promise((resolve, reject) => {
      const token = given.refreshToken
      const form = `grant_type=refresh_token&client_id=${given.clientId}&refresh_token=${token}`
      const request = Buffer.from(
        `POST ${job.path} HTTP/1.1\r\nHost: 127.0.0.1:${job.port}\r\n` +
          `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`,
      )
      const tokenAt = request.length - token.length
      let refreshToken = token
      let sentAt = 0
      let held = ''
      const socket = connect({
        port: job.port,
        host: '127.0.0.1',
        noDelay: true,
        onread: {
          buffer: Buffer.allocUnsafe(answerBytesMax),
          callback: (bytes, buffer) => {
            held += (buffer as Buffer).toString('latin1', 0, bytes)
            const body = bodyOf(held)
            if (body !== undefined) take(held, body)
            return true
          },
        },
      })
      const send = (): void => {
        request.write(refreshToken, tokenAt, 'latin1')
        held = ''
        sentAt = performance.now()
        socket.write(request)
      }
      const take = (answer: string, body: string): void => {
        if (!answer.startsWith('200', 'HTTP/1.1 '.length)) {
          if (state.refused++ === 0) process.stderr.write(`${answer}\n`)
          socket.end()
          return
        }
        if (state.measuring) tookMs.push(performance.now() - sentAt)
        refreshToken = (JSON.parse(body) as { refresh_token: string }).refresh_token
        if (refreshToken.length !== token.length) throw new Error('refresh tokens differ in length')
        if (state.done) socket.end()
        else send()
      }
      socket.on('connect', send)
      socket.on('close', () => resolve({ clientId: given.clientId, refreshToken }))
      socket.on('error', reject)
    })

  const running = job.clients.map(refreshOn)
  await new Promise((resolve) => setTimeout(resolve, job.seconds * 200))
  state.measuring = true
  const startedMs = performance.now()
  await new Promise((resolve) => setTimeout(resolve, job.seconds * 1_000))
  state.measuring = false
  const seconds = (performance.now() - startedMs) / 1_000
  state.done = true
  const clients = await Promise.all(running)
  tookMs.sort((a, b) => a - b)
  const quantile = (part: number): number => tookMs[Math.floor((tookMs.length - 1) * part)] ?? 0
  return {
    perSecond: tookMs.length / seconds,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    refused: state.refused,
    clients,
  }
}

if (import.meta.main) {
  process.stdout.write(JSON.stringify(await run(JSON.parse(process.argv[2]!) as RefreshJob)))
}
