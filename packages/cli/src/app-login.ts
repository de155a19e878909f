import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { callOAuth, requestTokens } from './app-tokens.ts'
import { CommandFailure, exitCodes } from './exit-code.ts'
import { keepLogin } from './login-command.ts'
import { readProfiles } from './profiles.ts'
import { describePlace } from './secret-store.ts'
import type { Session } from './session.ts'

/** A person has to sign in, choose and sign. */
const consentMs = 15 * 60_000

interface App {
  clientId: string
  /** On 127.0.0.1; the service takes exactly the one that was registered. */
  port: number
}

/**
 * Logs in as an app that a member allows to read: OAuth 2.1 with a loopback redirect (RFC 8252 section 7.3) and PKCE (RFC 7636). The
 * app of a profile is registered once, and again if its port is taken.
 */
export async function loginAsApp(session: Session, name: string, url: string): Promise<void> {
  const { io } = session
  const {
    resource,
    scopes_supported: scopes,
    authorization_servers: servers,
  } = await callOAuth(io, `${url}/.well-known/oauth-protected-resource`)
  const { app, server } = await openApp(session, name, url)
  try {
    const redirectUri = toRedirectUri(app.port)
    const [verifier, state] = [randomBytes(32).toString('base64url'), randomBytes(16).toString('base64url')]
    const authorize = new URL(`${url}/oauth/authorize`)
    authorize.search = new URLSearchParams({
      response_type: 'code',
      client_id: app.clientId,
      redirect_uri: redirectUri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state,
      ...(Array.isArray(scopes) && { scope: scopes.join(' ') }),
      ...(typeof resource === 'string' && { resource }),
    }).toString()
    session.note(`Allow numeractl to read, in the browser. If none opens, open\n${authorize.href}`)
    io.openBrowser(authorize.href)
    const code = await receiveCode(server, {
      state,
      issuer: Array.isArray(servers) ? String(servers[0]) : url,
      signal: io.signal,
    })
    const tokens = await requestTokens(io, url, {
      grant_type: 'authorization_code',
      client_id: app.clientId,
      redirect_uri: redirectUri,
      code,
      code_verifier: verifier,
      ...(typeof resource === 'string' && { resource }),
    })
    const place = await keepLogin(io, name, { url, kind: 'app', ...app }, JSON.stringify(tokens))
    session.print(
      { profile: name, url, kind: 'app', secret_in: place },
      `Logged in to ${url} as profile ${name}, for reading. The tokens are in ${describePlace(io, place)}.`,
    )
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

const toRedirectUri = (port: number): string => `http://127.0.0.1:${port}/callback`

async function listen(port: number): Promise<Server> {
  const server = createServer()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function openApp({ io }: Session, name: string, url: string): Promise<{ app: App; server: Server }> {
  const { profiles } = await readProfiles(io)
  const { kind, clientId, port, url: usedUrl } = (Object.hasOwn(profiles, name) && profiles[name]) || {}
  if (kind === 'app' && usedUrl === url && clientId !== undefined && port !== undefined) {
    const server = await listen(port).catch(() => undefined)
    if (server) return { app: { clientId, port }, server }
  }
  const server = await listen(0)
  try {
    const free = (server.address() as AddressInfo).port
    const { client_id: registered } = await callOAuth(io, `${url}/oauth/register`, {
      client_name: 'numeractl',
      redirect_uris: [toRedirectUri(free)],
      token_endpoint_auth_method: 'none',
    })
    return { app: { clientId: String(registered), port: free }, server }
  } catch (error) {
    server.close()
    throw error
  }
}

interface Awaited {
  state: string
  issuer: string
  signal: AbortSignal
}

/**
 * Waits for the browser to come back with the code of this login; what has another `state` or `iss` (RFC 9207) is not it.
 *
 * @throws CommandFailure where the member refuses, or takes too long
 */
async function receiveCode(server: Server, { state, issuer, signal }: Awaited): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  server.on('request', (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://127.0.0.1')
    const isOurs = searchParams.get('state') === state && searchParams.get('iss') === issuer
    const headers = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }
    if (pathname !== '/callback' || !isOurs) return void response.writeHead(404, headers).end('Not found.\n')
    const code = searchParams.get('code')
    const said = searchParams.get('error_description') ?? searchParams.get('error') ?? 'no code'
    response.writeHead(200, headers).end(code ? 'You can close this page.\n' : 'Nothing was allowed.\n')
    if (code) resolve(code)
    else reject(new CommandFailure(`Nothing was allowed: ${said}`, exitCodes.refused))
  })
  const late = (): void => reject(new CommandFailure('The browser did not come back.', exitCodes.tryAgain))
  const timer = setTimeout(late, consentMs)
  const stop = (): void => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}
