/**
 * `npm run bankid-stand-in`: a Numera that takes BankID for who people are, the stand-in in BankID's place, and a page in
 * that of the person's app, to try it with two browser windows. Signatures are made and verified as in earnest, under
 * certificates that are made anew at each start.
 */
import { parseArgs } from 'node:util'
import { serveNumera } from '../serve-numera.ts'
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

await using stack = new AsyncDisposableStack()
const standIn = stack.use(await startBankIdStandIn())
const app = await serveApp(standIn, Number(given['app-port'])).catch(async (error: unknown) => {
  await stack.disposeAsync()
  process.stderr.write(`${(error as Error).message}. --app-port names another one.\n`)
  process.exit(1)
})
stack.use(app)

await serveNumera({
  port: given.port,
  folder: given.folder,
  environment: { ...standIn.environment, NUMERA_IDENTITY: 'bankid' },
  owner: madeUpPeople[0],
  whatToOpen: `Open two windows:
  Numera           http://localhost:${given.port}/sign-in
  the BankID app   ${app.url}/

Sign in there, then look at the app: the order waits in it.`,
})
