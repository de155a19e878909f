import { parentPort, workerData } from 'node:worker_threads'
import { type Person, signIn } from '../acceptance/browser.ts'

/** What a visit is told. */
export interface Visitor {
  url: string
  person: Person
  page: string
  pauseMs: number
}

/** What came of the visits since the visitor was last asked: their milliseconds, and those that were no 200. */
export interface Visits {
  times: number[]
  refused: string[]
}

// A thread of its own: what the noise costs its sender's process must not be taken for what it costs the service.
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
