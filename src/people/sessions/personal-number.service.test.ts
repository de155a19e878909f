import { beforeEach, expect, test } from 'vitest'
import { toMasterKey } from '../../platform/keys/master-key.ts'
import type { SigningRequest } from '../identity/identity-provider.ts'
import {
  createConsoleClient,
  signInConsole,
  type ConsoleClient,
} from '../../../testing/in-process/console-client.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import { approveDemoOrder, type SeededCompany } from '../../../testing/in-process/seed.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { sealedSessions } from './sealed-sessions.ts'
import { findPersonalNumber, sessionLifetimeMs } from './session.ts'

const { database, context, app } = await startTestService()

/** The requests for a signature, oldest first. */
let requests: SigningRequest[]
const { signing } = context.identity
Object.assign(context.identity, {
  signing: {
    ...signing!,
    startSigning: (request: SigningRequest) => {
      requests.push(request)
      return signing!.startSigning(request)
    },
  },
})

let scene: SeededCompany
let client: ConsoleClient
beforeEach(async () => {
  requests = []
  await database.pool.query('delete from sessions')
  scene = await seedScene(context)
  client = await signInConsole(app, context, scene.owner)
})

const beginSignature = async (browser = client): Promise<number> => {
  const connections = `/console/companies/${scene.company.companyId}/connections`
  const { body } = await browser.post(connections, {
    name: 'Connector',
    source_id: null,
    permissions: ['metrics.read'],
    kind: 'production',
    credential_kind: 'client',
  })
  return (await browser.post(`${connections}/${body.connection.connection_id}/sign`)).status
}

const onlySession = async (): Promise<{ session_hash: Buffer; personal_number_sealed: Buffer }> =>
  (await database.pool.query('select session_hash, personal_number_sealed from sessions')).rows[0]

test('a signature is requested of the signed-in person', async () => {
  expect(await beginSignature()).toBe(200)
  expect(requests).toMatchObject([{ personalNumber: scene.owner.personalNumber }])
  expect(requests[0]).not.toHaveProperty('sessionHash')
})

test('the number is stored for its session only, and deleted with it', async () => {
  const { session_hash: sessionHash } = await onlySession()
  const { memberId, personalNumber } = scene.owner
  expect(await findPersonalNumber(context, sessionHash, memberId)).toBe(personalNumber)
  const another = (await seedScene(context)).owner
  expect(await findPersonalNumber(context, sessionHash, another.memberId)).toBeUndefined()
  context.clock.advance(sessionLifetimeMs)
  expect(await findPersonalNumber(context, sessionHash, memberId)).toBeUndefined()
  context.clock.advance(-sessionLifetimeMs)
  await client.post('/console/sign-out')
  expect(await onlySession()).toBeUndefined()
})

test('a sealed number that is put into another session opens nothing there', async () => {
  const { personal_number_sealed: sealed } = await onlySession()
  await signInConsole(app, context, (await seedScene(context)).owner)
  const { rows } = await database.pool.query(
    'update sessions set personal_number_sealed = $1 where personal_number_sealed <> $1 returning session_hash, member_id',
    [sealed],
  )
  await expect(findPersonalNumber(context, rows[0].session_hash, rows[0].member_id)).rejects.toThrow()
})

test('a changed master key unseals it after it has been sealed again', async () => {
  const { session_hash: sessionHash } = await onlySession()
  const newer = toMasterKey(Buffer.alloc(32, 9))
  await database.pool.query('insert into master_keys (fingerprint, recorded_at) values ($1, now())', [
    newer.fingerprint,
  ])
  const during = { ...context.keys.master, current: newer, previous: context.keys.master.current }
  expect(await sealedSessions.reseal({ pool: database.pool, keys: { master: during } })).toBe(1)
  const after = { ...context, keys: { ...context.keys, master: { current: newer } } }
  expect(await findPersonalNumber(after, sessionHash, scene.owner.memberId)).toBe(scene.owner.personalNumber)
})

test('no answer to the pages contains the number', async () => {
  const browser = createConsoleClient(app)
  const begun = await browser.post('/console/sign-in')
  await approveDemoOrder(context, begun.body.presentation.open_url, scene.owner)
  const answers = [
    await browser.post(`/console/sign-in/${begun.body.order_id}/collect`),
    await browser.get('/console/session'),
  ]
  expect(JSON.stringify(answers)).not.toContain(scene.owner.personalNumber)
})
