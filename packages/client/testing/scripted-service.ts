import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import {
  type Clock,
  type Identity,
  Numera,
  type NumeraError,
  type NumeraOptions,
  type Receipt,
} from '../src/index.ts'

export interface Received {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

/** An answer, or what happens instead of one. */
export type Reply =
  | { status: number; headers?: Record<string, string>; body?: unknown }
  /** The connection ends before any answer, within its body, or stays open without a word. */
  | 'cut'
  | 'cut within'
  | 'silence'

export const receipt = {
  artifact_id: '0190a2b4-58cc-7372-a567-0e02b2c3d479',
  shape_version: 1,
  status: 'queued',
  sandbox: false,
  dropped_keys: [],
  delivers: 'events',
}
export const stored: Reply = { status: 202, body: receipt }
export const token = (value: string, seconds = 3600): Reply => ({
  status: 200,
  body: { access_token: value, token_type: 'Bearer', expires_in: seconds },
})
export const fault = (status: number, code: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  body: { code, message: `${code}.`, help: `https://numera.example/docs/errors#${code}`, request_id: 'r-1' },
})

/** A clock whose sleeps take no time and are recorded, and whose random value is 0. */
export interface RecordingClock extends Clock {
  sleeps: number[]
  advance(ms: number): void
}

function createClock(): RecordingClock {
  let nowMs = Date.parse('2026-11-22T08:30:00Z')
  const sleeps: number[] = []
  return {
    sleeps,
    now: () => nowMs,
    random: () => 0,
    advance: (ms) => (nowMs += ms),
    sleep: async (ms, signal) => {
      signal?.throwIfAborted()
      sleeps.push(ms)
      nowMs += ms
      await Promise.resolve()
      signal?.throwIfAborted()
    },
  }
}

export interface ScriptedService extends AsyncDisposable {
  url: string
  clock: RecordingClock
  received: Received[]
  /** What it answers, in sequence; the last one from then on. A function answers by what it receives. */
  replies: (Reply | ((request: Received) => Reply))[]
  /** With a static credential by default. */
  client(options?: Partial<Omit<NumeraOptions, 'baseUrl'>>, identity?: Identity): Numera
}

/** An HTTP server that answers by a script, and a clock for its clients. */
export async function startScriptedService(...replies: ScriptedService['replies']): Promise<ScriptedService> {
  const received: Received[] = []
  const clock = createClock()
  const server = createServer(async (request, response) => {
    const one = {
      method: request.method!,
      path: request.url!,
      headers: request.headers,
      body: await text(request),
    }
    received.push(one)
    const next = service.replies.length > 1 ? service.replies.shift()! : service.replies[0]!
    answer(response, typeof next === 'function' ? next(one) : next)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const service: ScriptedService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clock,
    received,
    replies,
    client: (options = {}, identity = { credential: 'nsk_test' }) =>
      new Numera({ baseUrl: service.url, clock, ...options, ...identity }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return service
}

function answer(response: ServerResponse, reply: Reply): void {
  if (reply === 'silence') return
  if (reply === 'cut') return void response.destroy()
  if (reply === 'cut within') {
    response.writeHead(202, { 'content-length': 1000 })
    response.write(JSON.stringify(receipt).slice(0, 20))
    return void setTimeout(() => response.destroy(), 5)
  }
  const { status, headers, body } = reply
  const content = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(content)
}

export const row = { at: '2026-11-22T09:30:00+01:00', amount: '249.50' }
export const order = { key: 'order:1001', shapeVersion: 1 }
export const push = (service: ScriptedService, options = {}): Promise<Receipt> =>
  service.client(options).push([row], order)
/** What the work throws. */
export async function caught(work: Promise<unknown>): Promise<NumeraError> {
  try {
    await work
  } catch (error) {
    return error as NumeraError
  }
  throw new Error('nothing was thrown')
}
