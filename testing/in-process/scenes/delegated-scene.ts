import { beforeEach } from 'vitest'
import type { Source } from '../../../src/company/sources/source.ts'
import { removeMember } from '../../../src/console/memberships/remove-member.ts'
import {
  seedApp,
  seedAppConnection,
  seedAppToken,
  seedCompany,
  seedMember,
  seedSource,
  type SeededApp,
  type SeededAppConnection,
  type SeededCompany,
  type SeededMember,
} from '../seed.ts'
import { testMetric } from '../source.ts'
import { startTestService } from '../test-service.ts'
import { startTestWorker } from '../test-worker.ts'

export const toSamplesUrl = ({ company }: SeededCompany): string => `/v1/samples?orgnr=${company.orgnr}`
export const notFound = [404, 'not_found', undefined]
export const unauthenticated = [401, 'unauthenticated', undefined]

/**
 * A reader of a bakery with a shop and of a café, and an app; new ones for each test. To be called while the file is read, at
 * its top.
 */
export const startDelegatedScene = async () => {
  const { database, context, app } = await startTestService()
  const { worker } = startTestWorker({ database, context })
  const scene = {
    bakery: undefined as unknown as SeededCompany,
    cafe: undefined as unknown as SeededCompany,
    shop: undefined as unknown as Source,
    member: undefined as unknown as SeededMember,
    rapport: undefined as unknown as SeededApp,
  }
  beforeEach(async () => {
    context.clock.set('2026-03-15T12:00:00Z')
    scene.bakery = await seedCompany(context, { name: 'Bageriet AB' })
    scene.cafe = await seedCompany(context, { name: 'Kaféet AB' })
    scene.shop = await seedSource(context, scene.bakery.company.companyId, {
      metrics: [testMetric({ group_by: ['country'] })],
    })
    await seedSource(context, scene.cafe.company.companyId)
    scene.member = await seedMember(context, scene.bakery.company.companyId, { role: 'reader' })
    const { personalNumber } = scene.member
    await seedMember(context, scene.cafe.company.companyId, { role: 'reader', personalNumber })
    scene.rapport = await seedApp(context)
  })

  /** What the member allows the app: the bakery alone unless given; null is every company. */
  const allow = async (
    companies: SeededCompany[] | null = [scene.bakery],
    options: Partial<Parameters<typeof seedAppConnection>[1]> = {},
  ): Promise<SeededAppConnection & { token: string }> => {
    const connection = await seedAppConnection(context, {
      app: scene.rapport,
      member: scene.member,
      ...(companies === null ? {} : { companyIds: companies.map(({ company }) => company.companyId) }),
      ...options,
    })
    return { ...connection, token: (await seedAppToken(context, connection)).accessToken }
  }

  const call = async (
    token: string,
    url: string,
    options: { method?: 'GET' | 'HEAD' | 'POST'; headers?: Record<string, string>; payload?: string } = {},
  ) => {
    const { method = 'GET', headers = {}, payload } = options
    const answer = await app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(payload === undefined ? {} : { payload }),
    })
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: answer.body === '' ? undefined : answer.json(),
    }
  }

  /** 200, or the status, code and field of a refusal. */
  const getOutcome = async (token: string, url: string) => {
    const { status, body } = await call(token, url)
    return status === 200 ? 200 : [status, body.code, body.field]
  }

  const leave = ({ company }: SeededCompany): Promise<void> =>
    removeMember(context, 'operator', company.companyId, scene.member.memberId)

  return Object.assign(scene, { database, context, app, worker, allow, call, getOutcome, leave })
}
