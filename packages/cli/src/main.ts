#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

// Compiling commander would take a third of the time of `--help`.
enableCompileCache()
const [{ run }, { processIo }] = await Promise.all([import('./run.ts'), import('./process-io.ts')])

// The reader of a pipe may end before the answer does, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})
const interrupt = new AbortController()
// A second Ctrl-C ends the process.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupt.abort())
process.exitCode = await run(process.argv.slice(2), processIo(interrupt.signal))
