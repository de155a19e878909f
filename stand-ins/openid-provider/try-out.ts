/**
 * `npm run openid-provider-stand-in`: a Numera that signs people in through an OpenID Connect provider, and the stand-in for
 * that provider, for a browser.
 */
import { parseArgs } from 'node:util'
import { serveNumera } from '../serve-numera.ts'
import { people } from './people.ts'
import { startOpenIdProvider } from './start-openid-provider.ts'

const { values: given } = parseArgs({
  options: {
    folder: { type: 'string' },
    port: { type: 'string', default: process.env['NUMERA_HTTP_PORT'] ?? '8080' },
    'provider-port': { type: 'string', default: '8090' },
  },
})

const relyingParty = `http://localhost:${given.port}`
const port = Number(given['provider-port'])
await using provider = await startOpenIdProvider({ port, relyingParty }).catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}. Set --provider-port to another port.\n`)
  process.exit(1)
})
const { personalNumber, givenName, surname } = people[0]!

await serveNumera({
  port: given.port,
  folder: given.folder,
  environment: provider.environment,
  owner: { personalNumber, name: `${givenName} ${surname}` },
  instructions: `Open ${relyingParty}/sign-in

The provider, at ${provider.issuer}, asks who you are.`,
})
