/** A load generator for reads (`load-loop.ts`). Takes its job as JSON on the command line and prints its result as JSON. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type LoadClient, type LoadFigures, runLoad } from '../load-loop.ts'

export interface GetJob {
  port: number
  path: string
  clients: number
  seconds: number
  /** Used by the clients in turn. */
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
      onData: (chunk) => {
        if (missing < 0) {
          // A short head arrives in one chunk over loopback.
          const headEnd = chunk.indexOf('\r\n\r\n')
          const length = Number(/content-length: (\d+)/i.exec(chunk.toString('latin1', 0, headEnd))?.[1])
          if (chunk.toString('latin1', 9, 12) !== '200') refused++
          answerBytes = length
          missing = length + headEnd + 4
        }
        missing -= chunk.length
        return missing > 0 ? 'incomplete' : 'complete'
      },
    }
  }

  const figures = await runLoad(
    job,
    Array.from({ length: job.clients }, (_, index) => client(index)),
  )
  return { ...figures, refused, answerBytes }
}

/** Reads from a separate process, to save this one's time. */
export const loadReads = async (job: GetJob): Promise<GetResult> => {
  const { stdout } = await promisify(execFile)(process.execPath, [import.meta.filename, JSON.stringify(job)])
  return JSON.parse(stdout) as GetResult
}

if (import.meta.main) process.stdout.write(JSON.stringify(await run(JSON.parse(process.argv[2]!) as GetJob)))
