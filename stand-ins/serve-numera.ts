import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const entry = join(import.meta.dirname, '..', 'src', 'main.ts')
const pollMs = 200
/** The service needs up to 30 seconds to stop (its own `stopMsMax`); after that it is killed. */
const stopMsMax = 35_000
const company = { orgnr: '5560160680', name: 'Bageriet AB' }

const print = (text: string): void => void process.stdout.write(`${text}\n`)

export interface NumeraToTry {
  /** The service's, on loopback. */
  port: string
  /** Of the database; undefined for a temporary one. */
  folder: string | undefined
  /** Further variables of the service. */
  environment: Record<string, string>
  /** Of the only company. */
  owner: { personalNumber: string; name: string }
  /** Printed once the service is ready. */
  instructions: string
}

/**
 * Runs a Numera with a stand-in until this process gets a signal to stop. In a folder of an earlier run it continues with
 * that data.
 */
export async function serveNumera({
  port,
  folder: named,
  environment: own,
  owner,
  instructions,
}: NumeraToTry): Promise<void> {
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
    // The built-in database.
    DATABASE_URL: '',
  }
  print('Starting the stand-in and Numera …')
  const service = spawn(process.execPath, [entry, 'serve'], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
    // In a process group of its own, so that Ctrl-C signals it only once, through this process: a second signal would kill it.
    detached: true,
  })
  const ended = once(service, 'exit')
  // The service stops with this process even if this one fails.
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

  const createCompany = async (): Promise<void> => {
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

  const prepareWhenReady = async (): Promise<void> => {
    while (!(await isReady())) {
      if (isStopping || service.exitCode !== null) return
      await sleep(pollMs)
    }
    await createCompany()
    print(`
${instructions} ${owner.name} owns ${company.name}, the only company.
The data is in ${folder}${named === undefined ? ', which is deleted at the end' : ''}.
Ctrl-C stops both.`)
  }

  await Promise.race([prepareWhenReady(), ended])
  await ended
  if (!isStopping) process.exitCode = 1
}
