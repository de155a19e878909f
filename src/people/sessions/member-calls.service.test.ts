import { expect, test } from 'vitest'
import { seedCompany, seedMember } from '../../../testing/in-process/seed.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'

const { context, app } = await startTestService({ environment: { NUMERA_WRITE_RATE_BURST: '1' } })

test('a stranger who calls a company’s address uses up only their own share', async () => {
  const { company, owner } = await seedCompany(context)
  const { company: elsewhere } = await seedCompany(context)
  const stranger = await seedMember(context, elsewhere.companyId)
  const { findCaller } = app.memberCalls
  const ofCompany = `company ${company.companyId}`
  expect(await findCaller(owner.memberId, company.companyId)).toBe(ofCompany)
  expect(await findCaller(owner.memberId, company.companyId.toUpperCase())).toBe(ofCompany)
  expect(await findCaller(owner.memberId, elsewhere.companyId)).toBe(`member ${owner.memberId}`)
  expect(await findCaller(owner.memberId, undefined)).toBe(`member ${owner.memberId}`)
  for (const named of [company.companyId, company.companyId.toUpperCase(), 'no-company']) {
    expect(await findCaller(stranger.memberId, named)).toBe(`member ${stranger.memberId}`)
  }
})

test('visitors of a demo who share a person have shares of their own', async () => {
  const { owner } = await seedCompany(context)
  const write = (address: string) => app.memberCalls.limitWrite(owner.memberId, address)
  await write('192.0.2.1')
  await expect(write('192.0.2.1')).rejects.toThrow('too many changes')
  await write('198.51.100.1')
})
