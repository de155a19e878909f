/** A load generator of reads (`load-loop.ts`). Reads its job as JSON from the command line and prints its result as JSON. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type LoadClient, type LoadFigures, runLoad } from '../load-loop.ts'

export interface GetJob {
  port: number
  path: string
  clients: number
  seconds: number
  /** Clients take them in turn. */
  credentials: string[]
}

export interface GetResult extends LoadFigures {
  /** Answers other than 200. */
  refused: number
  answerBytes: number
}

const run = async (job: GetJob): Promise<GetResult> => {
  let refused = 0
  let answerBytes = 0

  const client = (index: number): LoadClient => {
    const request = Buffer.from(
      `GET ${job.path} HTTP/1.1\r\nHost: 127.0.0.1:${job.port}\r\n` +
        `Authorization: Bearer ${job.credentials[index % job.credentials.length]}\r\n\r\n`,
    )
    let missing = -1
    return {
      next: () => {
        missing = -1
        return request
      },
      take: (piece) => {
        if (missing < 0) {
          // Heads are short, and come in one piece on a loopback.
          const headEnd = piece.indexOf('\r\n\r\n')
          const length = Number(/content-length: (\d+)/i.exec(piece.toString('latin1', 0, headEnd))?.[1])
          if (piece.toString('latin1', 9, 12) !== '200') refused++
          answerBytes = length
          missing = length + headEnd + 4
        }
        missing -= piece.length
        return missing > 0 ? 'goes on' : 'whole'
      },
    }
  }

  const figures = await runLoad(
    job,
    Array.from({ length: job.clients }, (_, index) => client(index)),
  )
  return { ...figures, refused, answerBytes }
}

/** Reads from a process of its own, which takes none of this one's time. */
export const loadReads = async (job: GetJob): Promise<GetResult> => {
  const { stdout } = await promisify(execFile)(process.execPath, [import.meta.filename, JSON.stringify(job)])
  return JSON.parse(stdout) as GetResult
}

if (import.meta.main) process.stdout.write(JSON.stringify(await run(JSON.parse(process.argv[2]!) as GetJob)))
