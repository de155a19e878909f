/**
 * Refreshes as fast as answers come: each client has a connection and a refresh token of its own, and sends the token of its
 * last answer. Reads its job as JSON from the command line and prints its result as JSON.
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
  /** How long it is measured; before it the load runs for a fifth of it. */
  seconds: number
  clients: Refresher[]
}

export interface RefreshResult extends LoadFigures {
  /** Answers other than 200. */
  refused: number
  /** What to go on with. */
  clients: Refresher[]
}

/** The whole body of an answer; undefined where more of it is to come. */
const bodyOf = (answer: string): string | undefined => {
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
    let held = ''
    return {
      next: () => {
        request.write(refresher.refreshToken, tokenAt, 'latin1')
        held = ''
        return request
      },
      take: (piece) => {
        held += piece.toString('latin1')
        const body = bodyOf(held)
        if (body === undefined) return 'goes on'
        if (!held.startsWith('200', 'HTTP/1.1 '.length)) {
          if (refused++ === 0) process.stderr.write(`${held}\n`)
          return 'ended'
        }
        refresher.refreshToken = (JSON.parse(body) as { refresh_token: string }).refresh_token
        if (refresher.refreshToken.length !== token.length) throw new Error('refresh tokens differ in length')
        return 'whole'
      },
    }
  }

  const figures = await runLoad(job, job.clients.map(refreshAs))
  return { ...figures, refused, clients: job.clients }
}

if (import.meta.main) {
  process.stdout.write(JSON.stringify(await run(JSON.parse(process.argv[2]!) as RefreshJob)))
}
