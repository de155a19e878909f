/**
 * `npm run bankid-stand-in`: a Numera that identifies people by BankID, the stand-in for BankID, and a page that plays the
 * app, for two browser windows. Signatures are created and verified as in production, under certificates that each start
 * issues.
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
  process.stderr.write(`${(error as Error).message}. Set --app-port to another port.\n`)
  process.exit(1)
})
stack.use(app)

await serveNumera({
  port: given.port,
  folder: given.folder,
  environment: { ...standIn.environment, NUMERA_IDENTITY: 'bankid' },
  owner: madeUpPeople[0],
  instructions: `Open two windows:
  Numera           http://localhost:${given.port}/sign-in
  the BankID app   ${app.url}/

Sign in at Numera; the order then waits in the app.`,
})
