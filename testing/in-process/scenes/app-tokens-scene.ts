import { beforeAll, beforeEach, expect } from 'vitest'
import type { App } from '../../../src/platform/http/contract.ts'
import {
  seedApp,
  seedAppConnection,
  seedCode,
  seedCompany,
  seedMember,
  type SeededApp,
  type SeededAppConnection,
  type SeededCode,
  type SeededCompany,
} from '../seed.ts'
import { startTestService } from '../test-service.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** Servers for which the deployment issues tokens too. */
export const servers = ['https://mcp.example.com/mcp', 'https://other.example.com']

export type Fields = Record<string, string | string[]>

export const encodeFields = (fields: Fields): string =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, each]),
    ),
  ).toString()

export const without = (fields: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name))

export const toBasic = (service: { clientId: string | undefined; secret: string | undefined }): string =>
  `Basic ${Buffer.from(`${service.clientId}:${service.secret}`).toString('base64')}`

export const postFields = (to: App, url: string, fields: Fields, headers: Record<string, string> = {}) =>
  to.inject({
    method: 'POST',
    url,
    payload: encodeFields(fields),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

export type Answer = Awaited<ReturnType<typeof postFields>>

export const expectRefused = (answer: Answer, status: number, error: string): void => {
  expect(answer.json()).toEqual({ error, error_description: expect.stringMatching(/^[A-Z].*\.$/) })
  expect(answer.statusCode).toBe(status)
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers['access-control-allow-origin']).toBe('*')
}

/**
 * A service with a company, and an app of its own for each test, since rates are counted for a client in its network. To be
 * called while the file is read, at its top.
 */
export const startAppTokensScene = async () => {
  const { database, context, app } = await startTestService({
    environment: { NUMERA_OAUTH_RESOURCES: servers.join(',') },
  })
  const scene = {
    database,
    context,
    app,
    seeded: undefined as unknown as SeededCompany,
    client: undefined as unknown as SeededApp,
    /** A member of the company allows the app something. */
    connect: async (
      options: Partial<Parameters<typeof seedAppConnection>[1]> = {},
    ): Promise<SeededAppConnection> =>
      seedAppConnection(context, {
        app: scene.client,
        member: await seedMember(context, scene.seeded.company.companyId, { role: 'reader' }),
        ...options,
      }),
    connectForCode: async (): Promise<SeededCode> => seedCode(context, await scene.connect()),
    toCodeFields: ({ code, codeVerifier }: SeededCode): Fields => ({
      grant_type: 'authorization_code',
      client_id: scene.client.clientId,
      code,
      redirect_uri: scene.client.redirectUri,
      code_verifier: codeVerifier,
    }),
    redeem: (code: SeededCode, changed: Fields = {}, headers: Record<string, string> = {}) =>
      postFields(app, '/oauth/token', { ...scene.toCodeFields(code), ...changed }, headers),
    toRefreshFields: (refreshToken: string): Fields => ({
      grant_type: 'refresh_token',
      client_id: scene.client.clientId,
      refresh_token: refreshToken,
    }),
    refresh: (refreshToken: string, changed: Fields = {}, headers: Record<string, string> = {}) =>
      postFields(app, '/oauth/token', { ...scene.toRefreshFields(refreshToken), ...changed }, headers),
    revoke: (token: string, changed: Fields = {}, headers: Record<string, string> = {}) =>
      postFields(app, '/oauth/revoke', { client_id: scene.client.clientId, token, ...changed }, headers),
    /** Whether the access token opens the API. */
    opens: async (accessToken: string): Promise<boolean> => {
      const { statusCode } = await app.inject({
        url: '/v1/companies',
        headers: { authorization: `Bearer ${accessToken}` },
      })
      expect([200, 401]).toContain(statusCode)
      return statusCode === 200
    },
    /** The servers that the unused tokens of a family are for, by kind of token. */
    readResources: async (tokenFamilyId: string): Promise<Record<string, string[]>> => {
      const { rows } = await database.pool.query<{ kind: string; resources: string[] }>(
        'select kind, resources from app_tokens where token_family_id = $1 and used_at is null order by issued_at',
        [tokenFamilyId],
      )
      return Object.fromEntries(rows.map(({ kind, resources }) => [kind, resources]))
    },
  }
  beforeAll(async () => {
    scene.seeded = await seedCompany(context)
  })
  beforeEach(async () => {
    scene.client = await seedApp(context)
  })
  return scene
}
