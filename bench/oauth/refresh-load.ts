/**
 * Refreshes as fast as answers arrive: each client has its own connection and sends the refresh token of its last answer.
 * Takes its job as JSON on the command line and prints its result as JSON.
 *
 *   node bench/oauth/refresh-load.ts '{"port":8080,"path":"/oauth/token","seconds":3,"clients":[{"clientId":"…","refreshToken":"…"}]}'
 */
import { type LoadClient, type LoadFigures, runLoad } from '../load-loop.ts'

export interface Refresher {
  clientId: string
  refreshToken: string
}

export interface RefreshJob {
  port: number
  path: string
  /** Of the measurement, after a warm-up of a fifth of them. */
  seconds: number
  clients: Refresher[]
}

export interface RefreshResult extends LoadFigures {
  /** Answers other than 200. */
  refused: number
  /** With their current tokens. */
  clients: Refresher[]
}

/** Undefined while the answer is incomplete. */
const readBody = (answer: string): string | undefined => {
  const headEnd = answer.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const bodyBytes = Number(/\r\ncontent-length: (\d+)/i.exec(answer.slice(0, headEnd))?.[1])
  const body = answer.slice(headEnd + 4)
  return body.length < bodyBytes ? undefined : body
}

const run = async (job: RefreshJob): Promise<RefreshResult> => {
  let refused = 0

  const refreshAs = (refresher: Refresher): LoadClient => {
    const { clientId, refreshToken: token } = refresher
    const form = `grant_type=refresh_token&client_id=${clientId}&refresh_token=${token}`
    const request = Buffer.from(
      `POST ${job.path} HTTP/1.1\r\nHost: 127.0.0.1:${job.port}\r\n` +
        `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`,
    )
    const tokenAt = request.length - token.length
    let received = ''
    return {
      next: () => {
        request.write(refresher.refreshToken, tokenAt, 'latin1')
        received = ''
        return request
      },
      onData: (chunk) => {
        received += chunk.toString('latin1')
        const body = readBody(received)
        if (body === undefined) return 'incomplete'
        if (!received.startsWith('200', 'HTTP/1.1 '.length)) {
          if (refused++ === 0) process.stderr.write(`${received}\n`)
          return 'done'
        }
        refresher.refreshToken = (JSON.parse(body) as { refresh_token: string }).refresh_token
        if (refresher.refreshToken.length !== token.length) throw new Error('refresh tokens differ in length')
        return 'complete'
      },
    }
  }

  const figures = await runLoad(job, job.clients.map(refreshAs))
  return { ...figures, refused, clients: job.clients }
}

if (import.meta.main) {
  process.stdout.write(JSON.stringify(await run(JSON.parse(process.argv[2]!) as RefreshJob)))
}
