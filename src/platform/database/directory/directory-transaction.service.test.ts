import type { PoolClient } from 'pg'
import { expect, test } from 'vitest'
import { seedCompany } from '../../../../testing/in-process/seed.ts'
import { startTestService } from '../../../../testing/in-process/test-service.ts'
import { inDirectoryTransaction } from './directory-transaction.ts'

const { context } = await startTestService()

test('concurrent changes of the directory in whichever order all succeed, and none is run again', async () => {
  const companies = await Promise.all(Array.from({ length: 8 }, () => seedCompany(context)))
  const runs: number[] = []
  await Promise.all(
    companies.map(async ({ company: { companyId }, owner: { memberId } }, index) => {
      const changes = [
        (client: PoolClient) =>
          client.query('update members set name = name where member_id = $1', [memberId]),
        (client: PoolClient) =>
          client.query('update memberships set opened = true where company_id = $1', [companyId]),
      ]
      await inDirectoryTransaction(context.pool, async (client) => {
        runs.push(index)
        for (const change of index % 2 === 0 ? changes : changes.toReversed()) await change(client)
      })
    }),
  )
  expect(runs.toSorted()).toEqual([...companies.keys()])
})
