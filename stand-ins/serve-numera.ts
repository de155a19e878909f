import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const entry = join(import.meta.dirname, '..', 'src', 'main.ts')
const pollMs = 200
/** The service ends by itself within 30 seconds (`stopMsMax`); then it is killed. */
const stopMsMax = 35_000
const company = { orgnr: '5560160680', name: 'Bageriet AB' }

const say = (text: string): void => void process.stdout.write(`${text}\n`)

export interface TriedNumera {
  /** Where the service listens, on this machine. */
  port: string
  /** Of its database; undefined for one that goes with this process. */
  folder: string | undefined
  /** What it is configured with beside that. */
  environment: Record<string, string>
  /** Who owns its one company. */
  owner: { personalNumber: string; name: string }
  /** What is said once it can be opened. */
  whatToOpen: string
}

/**
 * Runs a Numera with a stand-in, for somebody to try, until this process is told to stop. In a folder that was used before,
 * all is as it was left.
 */
export async function serveNumera({
  port,
  folder: named,
  environment: own,
  owner,
  whatToOpen,
}: TriedNumera): Promise<void> {
  const url = `http://localhost:${port}`
  await using stack = new AsyncDisposableStack()
  const folder = named === undefined ? await mkdtemp(join(tmpdir(), 'numera-')) : resolve(named)
  if (named === undefined) stack.defer(() => rm(folder, { recursive: true, force: true }))

  const environment: NodeJS.ProcessEnv = {
    NUMERA_LOG_LEVEL: 'warn',
    NUMERA_METRICS_PORT: '0',
    ...process.env,
    ...own,
    NUMERA_BASE_URL: url,
    NUMERA_HTTP_HOST: '127.0.0.1',
    NUMERA_HTTP_PORT: port,
    NUMERA_DATA_FOLDER: folder,
    // With the database that is built in.
    DATABASE_URL: '',
  }
  say('Starting the stand-in and Numera …')
  const service = spawn(process.execPath, [entry, 'serve'], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
    // In a group of its own: Ctrl-C reaches this process, which tells it once. At a second signal it would end at once.
    detached: true,
  })
  const ended = once(service, 'exit')
  // Where this process ends by a fault of its own, the service does not stay behind.
  process.on('exit', () => service.kill('SIGTERM'))

  let isStopping = false
  const stop = (): void => {
    if (isStopping) return
    isStopping = true
    service.kill('SIGTERM')
    setTimeout(() => process.kill(-service.pid!, 'SIGKILL'), stopMsMax).unref()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)

  const command = async (...words: string[]): Promise<Record<string, unknown>> => {
    const { stdout } = await promisify(execFile)(process.execPath, [entry, ...words, '--json'], {
      env: environment,
    })
    return JSON.parse(stdout) as Record<string, unknown>
  }

  /** In a folder that was furnished before, all is there. */
  const furnish = async (): Promise<void> => {
    const { companies } = (await command('company', 'list')) as { companies: unknown[] }
    if (companies.length > 0) return
    await command('company', 'add', '--orgnr', company.orgnr, '--name', company.name)
    const person = ['--personal-number', owner.personalNumber, '--name', owner.name, '--role', 'owner']
    await command('member', 'add', '--company', company.orgnr, ...person)
  }

  const isReady = async (): Promise<boolean> => {
    const response = await fetch(`${url}/health/ready`).catch(() => undefined)
    await response?.arrayBuffer()
    return response?.ok === true
  }

  const tellWhatToOpen = async (): Promise<void> => {
    while (!(await isReady())) {
      if (isStopping || service.exitCode !== null) return
      await sleep(pollMs)
    }
    await furnish()
    say(`
${whatToOpen} ${owner.name} owns ${company.name}; nobody else has a company.
The data is in ${folder}${named === undefined ? ', and goes with this command' : ''}.
Ctrl-C ends both.`)
  }

  await Promise.race([tellWhatToOpen(), ended])
  await ended
  if (!isStopping) process.exitCode = 1
}
