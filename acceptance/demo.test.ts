import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Receipt, Samples } from '../testing/process/numera-api.ts'
import { type Service, startService } from '../testing/process/start-service.ts'
import { findCommands, paste, readPrinted, readUntil } from './demo-commands.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ words: ['demo'], isDatabaseNew: true, environment: { NUMERA_BASE_URL: '' } })
}, 150_000)
afterAll(() => service?.[Symbol.asyncDispose]())

const findCredential = (command: string): string => /nsk_\w+/.exec(command)![0]

test('The printed commands push and read when pasted, and do so again after a start on the same folder', async () => {
  const [push, read] = findCommands(await readPrinted(service))
  const receipt = (await paste(push!)) as Receipt
  expect(receipt).toMatchObject({ status: 'queued', shape_version: 1, dropped_keys: [], delivers: 'events' })
  const first = await readUntil(read!, ({ samples }) => samples.length > 0)
  expect(first.samples).toMatchObject([{ metric: 'revenue', value: '200', labels: { country: 'SE' } }])
  expect(await paste(push!)).toEqual(receipt)

  expect(await service.stop()).toBe(0)
  await service.start()
  const [pushAgain, readAgain] = findCommands(await readPrinted(service))
  expect(findCredential(readAgain!)).toBe(findCredential(read!))
  expect((await paste(readAgain!)) as Samples).toEqual(first)
  const second = (await paste(pushAgain!)) as Receipt
  expect(second.artifact_id).not.toBe(receipt.artifact_id)
  const both = await readUntil(readAgain!, ({ samples }) => samples.some(({ value }) => value !== '200'))
  expect(both.samples.map(({ value }) => value)).toEqual(['400'])
})
