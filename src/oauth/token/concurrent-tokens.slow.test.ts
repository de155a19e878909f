import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { hashSecret } from '../../platform/keys/secrets.ts'
import { buildApp } from '../../app/app.ts'
import type { App } from '../../platform/http/contract.ts'
import { seedApp, seedAppToken, type SeededAppToken } from '../../../testing/in-process/seed.ts'
import { createTestContext } from '../../../testing/in-process/test-context.ts'
import {
  servers,
  type Fields,
  encodeFields,
  postFields,
  type Answer,
  expectRefused,
  startAppTokensScene,
} from '../../../testing/in-process/scenes/app-tokens-scene.ts'
import { readForm } from '../client/client-request.ts'
import type { OauthErrorName } from '../oauth-error.ts'
import { createRefreshTokenGrant } from './refresh-token-grant.ts'

const scene = await startAppTokensScene()
const {
  database,
  context,
  connect,
  connectForCode,
  toCodeFields,
  toRefreshFields,
  refresh,
  revoke,
  opens,
  readResources,
} = scene

/** A process whose limits no test reaches. */
const quickContext = () =>
  createTestContext(database.pool, {
    clock: context.clock,
    environment: {
      NUMERA_OAUTH_RESOURCES: servers.join(','),
      NUMERA_OAUTH_RATE_BURST: '10000',
      NUMERA_OAUTH_RATE_PER_MINUTE: '10000',
    },
  })

let quick: App
beforeAll(async () => {
  quick = await buildApp(quickContext())
})
afterAll(() => quick.close())

/** From a network of its own, so that the two do not share a bucket. */
const exchangeAll = (to: App, remoteAddress: string, tokens: string[]) =>
  Promise.all(
    tokens.map((token) =>
      to.inject({
        method: 'POST',
        url: '/oauth/token',
        payload: encodeFields(toRefreshFields(token)),
        remoteAddress,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    ),
  )

/** Keeps all other transactions from the token until it is released. */
const lockToken = async (token: string): Promise<() => Promise<void>> => {
  const holder = await database.pool.connect()
  await holder.query('begin')
  await holder.query('select from app_tokens where token_hash = $1 for update', [hashSecret(token)])
  return async () => {
    await holder.query('commit')
    holder.release()
  }
}

/** Settles once this many statements wait for a lock. */
const untilWaiting = (count: number): Promise<void> =>
  vi.waitFor(
    async () => {
      const { rows } = await database.pool.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      expect(rows).toHaveLength(count)
    },
    { timeout: 10_000 },
  )

const expectOneWinner = async (answers: Answer[]): Promise<void> => {
  const won = answers.filter((answer) => answer.statusCode === 200)
  expect(won).toHaveLength(1)
  for (const answer of answers) if (answer !== won[0]) expectRefused(answer, 400, 'invalid_grant')
  // The others are second uses: it is unknown whether the first use was the app's own.
  const { access_token: access, refresh_token: next } = won[0]!.json()
  expect(await opens(access)).toBe(false)
  expectRefused(await refresh(next), 400, 'invalid_grant')
}

test('one of 50 exchanges of a code succeeds, and the second use revokes its tokens', async () => {
  const form = toCodeFields(await connectForCode())
  await expectOneWinner(
    await Promise.all(Array.from({ length: 50 }, () => postFields(quick, '/oauth/token', form))),
  )
})

test('one of 50 uses of a refresh token succeeds, and the second use revokes its tokens', async () => {
  const { refreshToken } = await seedAppToken(context, await connect())
  const form = toRefreshFields(refreshToken)
  await expectOneWinner(
    await Promise.all(Array.from({ length: 50 }, () => postFields(quick, '/oauth/token', form))),
  )
})

test('each refresh of a shared statement has its own outcome', async () => {
  const connection = await connect({ resources: servers })
  const [plain, narrowed, tooWide, elsewhere, used, twice] = (await Promise.all(
    Array.from({ length: 6 }, () => seedAppToken(context, connection, { permissions: ['company.read'] })),
  )) as [SeededAppToken, SeededAppToken, SeededAppToken, SeededAppToken, SeededAppToken, SeededAppToken]
  expect((await refresh(used.refreshToken)).statusCode).toBe(200)
  const attempts: [SeededAppToken, Fields, OauthErrorName | undefined][] = [
    [plain, {}, undefined],
    [narrowed, { scope: 'company.read', resource: servers[1]! }, undefined],
    [tooWide, { scope: 'metrics.read' }, 'invalid_scope'],
    [elsewhere, { client_id: (await seedApp(context)).clientId }, 'invalid_grant'],
    [used, {}, 'invalid_grant'],
    [twice, {}, undefined],
    [twice, {}, 'invalid_grant'],
  ]
  const exchange = createRefreshTokenGrant(context)
  // Submitted in one turn of the event loop, so that they are one batch, in this order.
  const outcomes = await Promise.allSettled(
    attempts.map(([{ refreshToken }, changed]) =>
      exchange({
        parameters: readForm(encodeFields({ ...toRefreshFields(refreshToken), ...changed })),
        usedAuthorization: false,
        credentials: undefined,
        network: '192.0.2.1',
      }),
    ),
  )
  for (const [index, outcome] of outcomes.entries()) {
    const [, , error] = attempts[index]!
    const expected = error === undefined ? { status: 'fulfilled' } : { status: 'rejected', reason: { error } }
    expect(outcome).toMatchObject(expected)
  }
  expect(await readResources(narrowed.tokenFamilyId)).toEqual({ access: [servers[1]], refresh: servers })
  expect(await opens(plain.accessToken)).toBe(true)
  expect(await opens(twice.accessToken)).toBe(false)
  expect((await refresh(tooWide.refreshToken)).statusCode).toBe(200)
  expect((await refresh(elsewhere.refreshToken)).statusCode).toBe(200)
})

test('tokens used in two processes and in any order are each exchanged once', async () => {
  await using other = await buildApp(quickContext())
  const connections = await Promise.all(Array.from({ length: 40 }, () => connect()))
  for (let round = 0; round < 4; round++) {
    const pairs = await Promise.all(connections.map((connection) => seedAppToken(context, connection)))
    const tokens = pairs.map(({ refreshToken }) => refreshToken)
    const release = await lockToken(tokens[20]!)
    const exchanging = Promise.all([
      exchangeAll(quick, '192.0.2.1', tokens),
      exchangeAll(other, '198.51.100.1', tokens.toReversed()),
    ])
    await untilWaiting(2)
    await release()
    const [here, there] = await exchanging
    for (const [index, answer] of here.entries()) {
      const both = [answer, there.at(-1 - index)!].map(({ statusCode }) => statusCode)
      expect(both.toSorted()).toEqual([200, 400])
    }
  }
})

test('a revocation waits for a refresh in progress, and revokes the new tokens', async () => {
  const { refreshToken, accessToken } = await seedAppToken(context, await connect())
  const release = await lockToken(refreshToken)
  const refreshing = refresh(refreshToken)
  await untilWaiting(1)
  const revoking = revoke(accessToken)
  await untilWaiting(2)
  await release()
  const answer = await refreshing
  expect(answer.statusCode).toBe(200)
  expect((await revoking).statusCode).toBe(200)
  expect(await opens(answer.json().access_token)).toBe(false)
  expectRefused(await refresh(answer.json().refresh_token), 400, 'invalid_grant')
})

test('no token survives a revocation, however quickly the app refreshes', async () => {
  for (let round = 0; round < 10; round++) {
    const pair = await seedAppToken(context, await connect())
    const access: string[] = [pair.accessToken]
    let token = pair.refreshToken
    const under = Promise.withResolvers<void>()
    const refreshOn = async (): Promise<void> => {
      for (;;) {
        const answer = await postFields(quick, '/oauth/token', toRefreshFields(token))
        if (answer.statusCode !== 200) {
          under.resolve()
          return expectRefused(answer, 400, 'invalid_grant')
        }
        token = answer.json().refresh_token
        access.push(answer.json().access_token)
        if (access.length === 3) under.resolve()
      }
    }
    const going = refreshOn()
    await under.promise
    const revoked = await postFields(quick, '/oauth/revoke', {
      client_id: scene.client.clientId,
      token: pair.accessToken,
    })
    expect(revoked.statusCode).toBe(200)
    await going
    expect(access.length).toBeGreaterThanOrEqual(3)
    for (const each of access) expect(await opens(each)).toBe(false)
  }
})
