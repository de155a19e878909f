import { expect, test } from 'vitest'
import { allowsNothing, companyChoices, type ConsentRequest, startingChoice, toSign } from './choice.ts'

const company = (name: string, suggested = false, granted = false) => ({
  company_id: name,
  orgnr: '559999-0016',
  name,
  suggested,
  granted,
})

const request = (given: Partial<ConsentRequest> = {}): ConsentRequest => ({
  state: 'consent',
  app: {
    client_id: 'app_1',
    client_name: 'App',
    redirect_host: 'app.example',
    redirect_uri: 'https://app.example/',
  },
  permissions: [
    { permission: 'company.read', granted: false },
    { permission: 'metrics.read', granted: false },
  ],
  companies: { choices: [company('a'), company('b', true)], every_granted: false },
  resources: [],
  ends_at: '2027-02-18T00:00:00.000Z',
  adds: false,
  ...given,
})

test('Permissions and suggested companies start ticked', () => {
  expect(startingChoice(request())).toEqual({
    permissions: ['company.read', 'metrics.read'],
    every: false,
    companies: ['b'],
  })
})

test('The only company starts ticked, suggested or not', () => {
  const only = request({ companies: { choices: [company('a')], every_granted: false } })
  expect(startingChoice(only).companies).toEqual(['a'])
})

test('A choice needs a permission and a company', () => {
  const choice = startingChoice(request())
  expect(allowsNothing(request(), choice)).toBe(false)
  expect(allowsNothing(request(), { ...choice, permissions: [] })).toBe(true)
  expect(allowsNothing(request(), { ...choice, companies: [] })).toBe(true)
  expect(allowsNothing(request(), { ...choice, companies: [], every: true })).toBe(false)
})

test('An addition shows only what is new, and one item is enough', () => {
  const adding = request({
    adds: true,
    permissions: [
      { permission: 'company.read', granted: true },
      { permission: 'metrics.read', granted: false },
    ],
    companies: {
      choices: [company('a'), company('b', true), company('c', true, true)],
      every_granted: false,
    },
  })
  expect(companyChoices(adding).map(({ name }) => name)).toEqual(['b'])
  const choice = startingChoice(adding)
  expect(choice).toEqual({ permissions: ['metrics.read'], every: false, companies: ['b'] })
  expect(allowsNothing(adding, { ...choice, permissions: [] })).toBe(false)
  expect(allowsNothing(adding, { ...choice, permissions: [], companies: [] })).toBe(true)
  const withServer = { ...adding, resources: [{ resource: 'https://other.example/', granted: false }] }
  expect(allowsNothing(withServer, { ...choice, permissions: [], companies: [] })).toBe(false)
})

test('“Every company” sends no list, and the ticks are kept', () => {
  const choice = { ...startingChoice(request()), every: true }
  expect(toSign(choice).companies).toEqual({ every: true })
  expect(toSign({ ...choice, every: false }).companies).toEqual({ every: false, company_ids: ['b'] })
})
