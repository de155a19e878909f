/**
 * `npm run bankid-stand-in`: a Numera that takes BankID for who people are, the stand-in in BankID's place, and a page in
 * that of the person's app, to try it with two browser windows. Signatures are made and verified as in earnest, under
 * certificates that are made anew at each start.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { madeUpPeople } from './made-up-people.ts'
import { serveApp } from './serve-app.ts'
import { startBankIdStandIn } from './start-bankid-stand-in.ts'

const { values: given } = parseArgs({
  options: {
    folder: { type: 'string' },
    port: { type: 'string', default: process.env['NUMERA_HTTP_PORT'] ?? '8080' },
    'app-port': { type: 'string', default: '8090' },
  },
})

const entry = join(import.meta.dirname, '..', '..', 'src', 'main.ts')
const pollMs = 200
/** The service ends by itself within 30 seconds (`stopMsMax`); then it is killed. */
const stopMsMax = 35_000
const company = { orgnr: '5560160680', name: 'Bageriet AB' }
const [owner] = madeUpPeople

const say = (text: string): void => void process.stdout.write(`${text}\n`)
/** A folder that nobody named goes with this process. */
const folder =
  given.folder === undefined ? await mkdtemp(join(tmpdir(), 'numera-bankid-')) : resolve(given.folder)

await using stack = new AsyncDisposableStack()
if (given.folder === undefined) stack.defer(() => rm(folder, { recursive: true, force: true }))
const standIn = stack.use(await startBankIdStandIn())
const app = await serveApp(standIn, Number(given['app-port'])).catch(async (error: unknown) => {
  await stack.disposeAsync()
  process.stderr.write(`${(error as Error).message}. --app-port names another one.\n`)
  process.exit(1)
})
stack.use(app)

const url = `http://localhost:${given.port}`
const environment: NodeJS.ProcessEnv = {
  NUMERA_LOG_LEVEL: 'warn',
  NUMERA_METRICS_PORT: '0',
  ...process.env,
  ...standIn.environment,
  NUMERA_IDENTITY: 'bankid',
  NUMERA_BASE_URL: url,
  NUMERA_HTTP_HOST: '127.0.0.1',
  NUMERA_HTTP_PORT: given.port,
  NUMERA_DATA_FOLDER: folder,
  // With the database that is built in.
  DATABASE_URL: '',
}
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
  const { personalNumber, name } = owner
  const person = ['--personal-number', personalNumber, '--name', name, '--role', 'owner']
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
Open two windows:
  Numera           ${url}/sign-in
  the BankID app   ${app.url}/

Sign in there, then look at the app: the order waits in it. ${owner.name} owns ${company.name}; nobody else has a company.
The data is in ${folder}${given.folder === undefined ? ', and goes with this command' : ''}.
Ctrl-C ends both.`)
}

say('Starting the stand-in and Numera …')
await Promise.race([tellWhatToOpen(), ended])
await ended
if (!isStopping) process.exitCode = 1
