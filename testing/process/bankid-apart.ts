import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Ask, OrderRecord } from './bankid-process.ts'
import { saveLog } from './run-logs.ts'

/** The BankID stand-in in a process of its own, so that it does not slow down the test. */
export interface BankIdApart extends AsyncDisposable {
  /** The variables that configure a service to use it. */
  environment: NodeJS.ProcessEnv
  /** Signs every pending order, and gives their number. */
  signAll(): Promise<number>
  /** The calls about each order. */
  record(): Promise<OrderRecord[]>
}

export const startBankIdApart = async (): Promise<BankIdApart> => {
  const child = fork(join(import.meta.dirname, 'bankid-process.ts'), { silent: true })
  const ended = once(child, 'exit')
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', saveLog('bankid'))
  const request = async <Answer>(ask: Ask): Promise<Answer> => {
    const answer = once(child, 'message')
    child.send(ask)
    const given = await Promise.race([answer, ended.then(() => undefined)])
    if (given === undefined) throw new Error('the BankID stand-in has ended')
    return given[0] as Answer
  }
  return {
    environment: await request('environment'),
    signAll: () => request('sign-all'),
    record: () => request('record'),
    [Symbol.asyncDispose]: async () => {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}
