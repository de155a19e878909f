import { afterAll, beforeAll, expect, test } from 'vitest'
import { addCompany } from '../src/people/companies/add-company.ts'
import { createTestContext, type TestContext } from '../testing/in-process/test-context.ts'
import { createTestDatabase, type TestDatabase } from '../testing/in-process/test-database.ts'
import { demoCompanies } from './demo-companies.ts'
import { DemoCutShortError, findDemo } from './find-demo.ts'
import { makeDemo } from './make-demo.ts'

let database: TestDatabase
let context: TestContext
beforeAll(async () => {
  database = await createTestDatabase()
  context = createTestContext(database.pool)
})
afterAll(() => database[Symbol.asyncDispose]())

test('A demo that was not made to its end is told, and left as it is', async () => {
  expect(await findDemo(context)).toBeUndefined()
  const { orgnr, name } = demoCompanies.ekeby
  await addCompany(context, { orgnr, name, timeZone: 'Europe/Stockholm' })
  await expect(makeDemo(context)).rejects.toThrow(DemoCutShortError)
  await expect(makeDemo(context)).rejects.toThrow('npm start -- --reset')
  const { rows } = await database.pool.query('select name from companies')
  expect(rows).toEqual([{ name }])
})
