import { parentPort, workerData } from 'node:worker_threads'
import { type Person, signIn } from '../../testing/process/console-client.ts'

/** The worker's data. */
export interface Visitor {
  url: string
  person: Person
  page: string
  pauseMs: number
}

/** The durations in milliseconds since the last message, and the answers other than 200. */
export interface Visits {
  times: number[]
  refused: string[]
}

// In its own thread, so that the load of the sender's thread does not count as the service's.
const { url, person, page, pauseMs } = workerData as Visitor
const port = parentPort!
const browser = await signIn(url, person)
let visits: Visits = { times: [], refused: [] }
port.on('message', () => {
  port.postMessage(visits)
  visits = { times: [], refused: [] }
})
port.postMessage('ready')
for (;;) {
  const startedMs = performance.now()
  const { status, text } = await browser.get(page)
  visits.times.push(performance.now() - startedMs)
  if (status !== 200) visits.refused.push(`${status} ${text.slice(0, 100)}`)
  await new Promise((resolve) => setTimeout(resolve, pauseMs))
}
