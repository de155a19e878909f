import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { Agent, request, type RequestOptions } from 'node:https'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { type BankIdStandIn, type RelyingParty, startBankIdStandIn } from './start-bankid-stand-in.ts'

/** A stand-in and a relying party that calls it, for the tests of one file. Its clock only moves by `pass`. */

export const anna = { personalNumber: '189001069815', name: 'Anna Maria Svensson' }
export const endUserIp = '127.0.0.1'
export const base64 = (words: string): string => Buffer.from(words).toString('base64')

export interface Answered {
  status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- each test reads the answer that it expects
  body: any
}

let nowMs = Date.now()
export let standIn: BankIdStandIn
let agent: Agent
export const now = (): number => nowMs
export const pass = (seconds: number): void => void (nowMs += seconds * 1000)

export const createAgent = ({ pkcs12, passphrase }: RelyingParty): Agent =>
  new Agent({ pfx: pkcs12, passphrase, ca: standIn.issuerPem, keepAlive: true })

/** Starts and stops the stand-in with the tests of the file. */
export const useStandIn = (): void => {
  beforeAll(async () => {
    standIn = await startBankIdStandIn({ now })
    agent = createAgent(standIn.relyingParty)
  })
  afterAll(async () => {
    agent.destroy()
    await standIn[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    standIn.answerAsUsual()
    pass(1)
  })
}

export const readAnswer = async (call: ClientRequest): Promise<Answered> => {
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  const answered = await text(response)
  return { status: response.statusCode!, body: answered === '' ? undefined : JSON.parse(answered) }
}

export const send = (path: string, body: string, options: RequestOptions = {}): Promise<Answered> => {
  const call = request(`${standIn.url}${path}`, {
    agent,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    ...options,
  })
  call.end(body)
  return readAnswer(call)
}

export const post = (path: string, body: unknown, options: RequestOptions = {}): Promise<Answered> =>
  send(path, JSON.stringify(body), options)

export const begin = async (
  path: '/auth' | '/sign' = '/auth',
  more: object = {},
): Promise<Answered['body']> => {
  const visible = path === '/sign' ? { userVisibleData: base64('I sign.') } : {}
  const { status, body } = await post(path, { endUserIp, ...visible, ...more })
  expect(status).toBe(200)
  return body
}

/** Two seconds after the call before, as relying parties should. */
export const collect = (orderRef: string, options: RequestOptions = {}): Promise<Answered> => {
  pass(2)
  return post('/collect', { orderRef }, options)
}

export const scan = (orderRef: string): ReturnType<BankIdStandIn['phone']['scan']> =>
  standIn.phone.scan(standIn.orders.qrText(orderRef))

export const invalid = (details: string): Answered => ({
  status: 400,
  body: { errorCode: 'invalidParameters', details },
})
