import { Agent, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, authorization, registerApp, exchange } from '../testing/process/oauth-app.ts'
import { type AppScene, startAppScene } from './app-scene.ts'
import { allowApp } from '../testing/process/consent.ts'
import { owner } from '../testing/process/shop.ts'

// A nearly correct guess is refused in the same time as any other: secrets are looked up by their hash.

const redirectUri = 'https://app.example.com/callback'
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

let scene: AppScene
let app: App
let tokens: { access_token: string; refresh_token: string }
beforeAll(async () => {
  scene = await startAppScene({ NUMERA_OAUTH_RATE_PER_MINUTE: '1000000', NUMERA_OAUTH_RATE_BURST: '1000000' })
  app = await registerApp(scene.url, redirectUri)
  const request = authorization(scene.url, app)
  const code = (await allowApp(scene.url, request.url, owner)).searchParams.get('code')!
  tokens = (await exchange(scene.url, app, code, request.codeVerifier)).body
})
afterAll(async () => {
  agent.destroy()
  await scene[Symbol.asyncDispose]()
})

/** The milliseconds that a refusal took. */
const timeRefusal = (path: string, token: string, status: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const form =
      path === '/oauth/token'
        ? `grant_type=refresh_token&client_id=${app.clientId}&refresh_token=${token}`
        : undefined
    const headers: Record<string, string> =
      form === undefined
        ? { authorization: `Bearer ${token}` }
        : {
            'content-type': 'application/x-www-form-urlencoded',
            'content-length': String(form.length),
          }
    const startedMs = performance.now()
    const call = request(
      `${scene.url}${path}`,
      { method: form === undefined ? 'GET' : 'POST', agent, headers },
      (answer) => {
        answer.resume().on('end', () => {
          if (answer.statusCode === status) resolve(performance.now() - startedMs)
          else reject(new Error(`answered ${answer.statusCode}`))
        })
      },
    )
    call.on('error', reject)
    call.end(form)
  })

/**
 * How often a time of one kind is longer than one of the other: 0.5 where they cannot be told apart (Mann and Whitney's
 * U over the number of pairs). Outliers weigh no more than others.
 */
const longerShare = (one: number[], other: number[]): number => {
  let longer = 0
  for (const a of one) for (const b of other) longer += a > b ? 1 : a === b ? 0.5 : 0
  return longer / (one.length * other.length)
}

/** Right but for the last letter. */
const nearly = (token: string): string => token.slice(0, -1) + (token.endsWith('a') ? 'b' : 'a')

test.each([
  ['an access token', '/v1/samples', 'access_token', 401],
  ['a refresh token', '/oauth/token', 'refresh_token', 400],
] as const)(
  'Timing: %s with a wrong last letter is refused in the time of any other',
  async (_name, path, kind, status) => {
    const guesses = [nearly(tokens[kind]), `${tokens[kind].slice(0, 4)}${'x'.repeat(43)}`] as const
    const measure = async (rounds: number): Promise<number> => {
      const times: [number[], number[]] = [[], []]
      for (let round = 0; round < rounds; round++) {
        // Each is first equally often.
        for (const which of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
          times[which].push(await timeRefusal(path, guesses[which], status))
        }
      }
      return Math.abs(longerShare(...times) - 0.5)
    }
    await measure(20)
    // Five standard deviations of the share, which for n times of each kind is about √(1/6n). Chance and a busy machine
    // do not come three times.
    const distances: number[] = []
    for (let tries = 0; tries < 3; tries++) {
      distances.push(await measure(300))
      if (distances.at(-1)! <= 0.12) return
    }
    expect(distances, 'in each of three tries').toEqual([])
  },
)
