import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { saveLog } from '../../testing/process/run-logs.ts'
import type { Service } from '../../testing/process/start-service.ts'
import { Skipped, type TrialContext } from '../trial.ts'
import { callOnce } from './calls.ts'

const shipped = join(import.meta.dirname, '../../deploy/cluster/haproxy.cfg')
const startMsMax = 10_000

/** Debian puts it where only root's shell looks. */
const path = `${process.env['PATH']}:/usr/local/sbin:/usr/sbin`

const replaceOnce = (text: string, from: RegExp, to: string): string => {
  if (!from.test(text)) throw new Error(`deploy/cluster/haproxy.cfg has nothing like ${from}`)
  return text.replace(from, to)
}

/** The configuration of deploy/cluster, but without TLS. */
const writeConfiguration = async (folder: string, port: number): Promise<string> => {
  let text = await readFile(shipped, 'utf8')
  text = replaceOnce(text, /^ {2}bind :80$/m, `  bind 127.0.0.1:${port}`)
  text = replaceOnce(text, /^ {2}bind :443 .*\n/m, '')
  text = replaceOnce(text, /^ {2}http-request redirect scheme .*\n/m, '')
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, text)
  return file
}

/**
 * Starts HAProxy in front of three processes of the service. It is killed when the trial ends.
 *
 * @param port where it listens on the loopback address
 */
export const startBalancer = async (
  context: TrialContext,
  port: number,
  processes: readonly Pick<Service, 'url'>[],
): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'numera-trial-balancer-'))
  context.use({ [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) })
  const addresses = processes.map((each, index) => [`NUMERA_${index + 1}`, new URL(each.url).host])
  const child: ChildProcess = spawn('haproxy', ['-db', '-f', await writeConfiguration(folder, port)], {
    env: { PATH: path, ...Object.fromEntries(addresses) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let fault: NodeJS.ErrnoException | undefined
  child.once('error', (error) => (fault = error))
  let output = ''
  const keep = saveLog('haproxy')
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      keep(chunk)
    })
  }
  context.use({ [Symbol.dispose]: () => void child.kill('SIGKILL') })
  for (const deadline = performance.now() + startMsMax; ; await context.sleep(50)) {
    const { status } = await callOnce(`http://127.0.0.1:${port}/health/ready`, { msMax: 1_000 })
    if (status === 200) return
    // Before the exit code, which a program that could not be started has too.
    if (fault?.code === 'ENOENT') throw new Skipped('HAProxy is not installed')
    if (fault !== undefined) throw fault
    if (child.exitCode !== null || performance.now() > deadline) {
      throw new Error(`HAProxy did not start:\n${output}`)
    }
  }
}
