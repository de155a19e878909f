import { afterAll, beforeAll, expect, test } from 'vitest'
import { addCompany } from '../../src/people/companies/add-company.ts'
import { createTestContext, type TestContext } from '../../testing/in-process/test-context.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/in-process/test-database.ts'
import { demoCompanies } from '../data/demo-companies.ts'
import { DemoCutShortError, findDemo, openDemo } from './open-demo.ts'

let database: TestDatabase
let context: TestContext
beforeAll(async () => {
  database = await createTestDatabase()
  context = createTestContext(database.pool)
})
afterAll(() => database[Symbol.asyncDispose]())

test('an incomplete demo is reported and not changed', async () => {
  expect(await findDemo(context)).toBeUndefined()
  const { orgnr, name } = demoCompanies.ekeby
  await addCompany(context, { orgnr, name, timeZone: 'Europe/Stockholm' })
  await expect(openDemo(context)).rejects.toThrow(DemoCutShortError)
  await expect(openDemo(context)).rejects.toThrow('npm start -- --reset')
  const { rows } = await database.pool.query('select name from companies')
  expect(rows).toEqual([{ name }])
})
