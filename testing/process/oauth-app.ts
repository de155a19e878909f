import { createHash, randomBytes } from 'node:crypto'
import { type Answer, call } from './call.ts'

/** A registered app that uses OAuth without a library. */
export interface App {
  clientId: string
  redirectUri: string
}

/** Tries to register, and gives any answer. */
export const requestRegistration = (
  url: string,
  fields: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> => call(`${url}/oauth/register`, { method: 'POST', body: fields, headers })

export const registerApp = async (
  url: string,
  redirectUri: string,
  name = 'Ledger Insight',
): Promise<App> => {
  const answer = await requestRegistration(url, { client_name: name, redirect_uris: [redirectUri] })
  if (answer.status !== 201) throw new Error(`the app was not registered: ${answer.status} ${answer.text}`)
  return { clientId: answer.body.client_id, redirectUri }
}

/** One authorization request: its URL, and what the app keeps for the callback. */
export interface Authorization {
  url: URL
  codeVerifier: string
  state: string
}

/** `parameters` are added to those of a valid request or replace them; undefined ones are removed. */
export const authorization = (
  url: string,
  app: App,
  parameters: Record<string, string | undefined> = {},
): Authorization => {
  const codeVerifier = randomBytes(32).toString('base64url')
  const state = randomBytes(8).toString('hex')
  const all = {
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: app.redirectUri,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    state,
    ...parameters,
  }
  const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return { url: new URL(`${url}/oauth/authorize?${new URLSearchParams(given)}`), codeVerifier, state }
}

const postForm = (url: string, form: Record<string, string | undefined>): Promise<Answer> => {
  const given = Object.entries(form).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return call(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(given).toString(),
  })
}

/** Tries to exchange a code, and gives any answer. */
export const exchange = (
  url: string,
  app: App,
  code: string,
  codeVerifier: string,
  form: Record<string, string | undefined> = {},
): Promise<Answer> =>
  postForm(`${url}/oauth/token`, {
    grant_type: 'authorization_code',
    client_id: app.clientId,
    code,
    redirect_uri: app.redirectUri,
    code_verifier: codeVerifier,
    ...form,
  })

/** Tries to use a refresh token, and gives any answer. */
export const refresh = (url: string, app: App, refreshToken: string): Promise<Answer> =>
  postForm(`${url}/oauth/token`, {
    grant_type: 'refresh_token',
    client_id: app.clientId,
    refresh_token: refreshToken,
  })

/** Tries to revoke a token, and gives any answer. */
export const revoke = (url: string, app: App, token: string): Promise<Answer> =>
  postForm(`${url}/oauth/revoke`, { client_id: app.clientId, token })
