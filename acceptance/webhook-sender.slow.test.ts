import { execFile, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { advance, call } from '../testing/process/call.ts'
import { readPageFiles } from './guides/page-files.ts'
import { readSamples, type Receipt, waitUntilRead } from '../testing/process/numera-api.ts'
import { type Service, startService } from '../testing/process/start-service.ts'
import { createShellTools, type ShellTools } from './shell-tools.ts'
import { openShop, type Shop, sourceBody } from '../testing/process/shop.ts'

const readGuideFile = await readPageFiles('docs/guides/webhooks.md')
const hour = 3_600

let tools: ShellTools
let senderScript: string
let deliverScript: string
beforeAll(async () => {
  tools = await createShellTools()
  const put = async (file: string): Promise<string> => {
    const path = join(tools.folder, file)
    await writeFile(path, readGuideFile(file))
    return path
  }
  senderScript = await put('webhook-sender.sh')
  deliverScript = await put('webhook-deliver.sh')
})
afterAll(async () => {
  await tools[Symbol.asyncDispose]()
})

interface Sent {
  status: number
  headers: Headers
  /** The answer's body, as it came. */
  text: string
}

const toArtifact = ({ text }: Sent): string => (JSON.parse(text) as Receipt).artifact_id

const row = (amount: string, customer = 'a') => JSON.stringify({ at: '2026-01-15', amount, customer })

describe('A sender written in shell', () => {
  let service: Service
  let shop: Shop
  beforeAll(async () => {
    service = await startService()
    shop = await openShop(service)
  })
  beforeEach(() => shop.signInAgain())
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
  })

  const makeWebhookSource = async () => {
    const body = sourceBody({ channel: 'webhook' })
    const made = (await shop.browser.post(`${shop.pages}/sources`, body)).body
    const { credential } = await shop.connect({ source_id: made.source_id, permissions: ['metrics.read'] })
    return { sourceId: made.source_id as string, secret: made.signing_secret as string, credential }
  }

  const rotate = async (sourceId: string): Promise<string> => {
    await shop.signInAgain()
    const { body } = await shop.browser.post(`${shop.pages}/sources/${sourceId}/rotate-signing-secret`)
    return body.signing_secret
  }

  const send = async (
    sourceId: string,
    secret: string,
    id: string,
    mediaType: string,
    body: string,
  ): Promise<Sent> => {
    const [secretFile, bodyFile] = [join(tools.folder, 'secret'), join(tools.folder, 'body')]
    await writeFile(secretFile, `${secret}\n`, { mode: 0o600 })
    await writeFile(bodyFile, body)
    await tools.setSeconds(Math.floor(Date.parse((await call(`${shop.url}/test/clock`)).body.now) / 1_000))
    const address = `${shop.url}/v1/webhooks/${sourceId}`
    const { out, err } = await tools.run(senderScript, [address, secretFile, id, mediaType, bodyFile])
    const [, head, text] = /^HTTP[^\n]*\n(.*?)\r\n\r\n(.*)$/s.exec(out) ?? []
    if (head === undefined) throw new Error(`no answer: ${out}${err}`)
    const headers = new Headers(head.split('\r\n').map((line) => line.split(': ', 2) as [string, string]))
    return { status: Number(out.split(' ', 2)[1]), headers, text: text! }
  }

  test('delivers JSON and CSV, and gets the first receipts again after a restart', async () => {
    const { sourceId, secret, credential } = await makeWebhookSource()
    const one = [
      'order:1001',
      'application/json',
      '{"at":"2026-01-15T09:30:00+01:00","amount":"249.50","country":"SE","shop":"Malmö"}\n',
    ] as const
    const many = ['orders:2', 'application/json', `[${row('0.25')},${row('0.05', 'b')}]`] as const
    const table = [
      'day_2026-01-16',
      'text/csv',
      'at;till;amount;customer\r\n2026-01-16;7;100;"Åsa\r\nB"\r\n2026-01-16T08:00:00Z;7;-0.01;\r\n',
    ] as const
    const sendAll = async (): Promise<Sent[]> => {
      const sent = []
      for (const [id, mediaType, body] of [one, many, table]) {
        sent.push(await send(sourceId, secret, id, mediaType, body))
      }
      return sent
    }
    const first = await sendAll()
    expect(first.map(({ status }) => status)).toEqual([202, 202, 202])
    expect(first.map(({ text }) => JSON.parse(text))).toMatchObject([
      { status: 'queued', sandbox: false, shape_version: 1, delivers: 'events', dropped_keys: ['shop'] },
      { dropped_keys: [] },
      { dropped_keys: ['till'] },
    ])

    expect(await service.stop()).toBe(0)
    await service.start()
    const again = await sendAll()
    expect(again.map(({ text }) => text)).toEqual(first.map(({ text }) => text))
    expect(again.map(({ status }) => status)).toEqual([202, 202, 202])
    expect(again.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual(['true', 'true', 'true'])

    for (const sent of first) await waitUntilRead(shop.url, credential, toArtifact(sent))
    const { samples } = await readSamples(shop.url, credential, { from: '2026-01-01', to: '2026-02-01' })
    expect(samples.map(({ period_start, value }) => [period_start, value])).toEqual([
      ['2026-01-16', '99.99'],
      ['2026-01-15', '249.8'],
    ])
    expect(samples.map(({ artifact_id }) => artifact_id)).toEqual([
      toArtifact(first[2]!),
      toArtifact(first[1]!),
    ])
  })

  test('changes its secret within a day of a rotation, and immediately after a second one', async () => {
    const { sourceId, secret: first } = await makeWebhookSource()
    let number = 0
    const statusWith = async (secret: string): Promise<number> => {
      const id = `rotation:${++number}`
      return (await send(sourceId, secret, id, 'application/json', row(String(number), id))).status
    }
    expect(await statusWith(first)).toBe(202)

    const second = await rotate(sourceId)
    expect(await statusWith(second)).toBe(202)
    expect(await statusWith(first)).toBe(202)
    await advance(shop.url, 24 * hour - 300)
    expect(await statusWith(first)).toBe(202)
    await advance(shop.url, 300)
    expect(await statusWith(first)).toBe(404)
    expect(await statusWith(second)).toBe(202)

    const third = await rotate(sourceId)
    expect(await statusWith(second)).toBe(202)
    const fourth = await rotate(sourceId)
    expect(await statusWith(second)).toBe(404)
    expect(await statusWith(third)).toBe(202)
    expect(await statusWith(fourth)).toBe(202)

    const lines = await tools.commandLines()
    expect(lines).toContain('openssl dgst -sha256')
    expect(lines).not.toContain('nws_')
  })
})

/** What a service answers. */
const answering =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, headers).end('{}')

describe('A sender that tries again', () => {
  interface Attempt {
    atSeconds: number
    signature: string
    id: string
  }

  /** Delivers to a service that gives these answers in order, and then repeats the last one. */
  const deliverTo = async (answers: ((response: ServerResponse) => void)[]) => {
    const attempts: Attempt[] = []
    const server = createServer((request: IncomingMessage, response) => {
      const signature = String(request.headers['service-signature'])
      attempts.push({
        atSeconds: Number(/^t=(\d+)/.exec(signature)![1]),
        signature,
        id: String(request.headers['service-delivery-id']),
      })
      request.resume().on('end', () => answers[Math.min(attempts.length, answers.length) - 1]!(response))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const [secretFile, bodyFile] = [join(tools.folder, 'secret'), join(tools.folder, 'body')]
    await writeFile(secretFile, 'nws_0\n')
    await writeFile(bodyFile, '{}')
    await tools.setSeconds(1_767_225_600)
    const args = [`http://127.0.0.1:${port}/`, secretFile, 'event:1', 'application/json', bodyFile]
    try {
      return { attempts, ...(await tools.run(deliverScript, args)) }
    } finally {
      server.closeAllConnections()
      server.close()
    }
  }
  test('backs off longer each time, obeys Retry-After, and signs each attempt again', async () => {
    const { code, attempts } = await deliverTo([
      answering(503, { 'retry-after': '1' }),
      (response) => void response.socket!.destroy(),
      answering(429, { 'retry-after': '7' }),
      answering(429),
      answering(202),
    ])
    expect(code).toBe(0)
    expect(attempts.map(({ id }) => id)).toEqual(Array.from({ length: 5 }, () => 'event:1'))
    expect(new Set(attempts.map(({ signature }) => signature)).size).toBe(5)
    const waits = attempts.slice(1).map(({ atSeconds }, index) => atSeconds - attempts[index]!.atSeconds)
    expect(waits[0]).toBeGreaterThan(24)
    expect(waits[0]).toBeLessThanOrEqual(30)
    expect(waits[1]).toBeGreaterThan(48)
    expect(waits[1]).toBeLessThanOrEqual(60)
    expect(waits[2]).toBe(7)
    expect(waits[3]).toBeGreaterThan(96)
    expect(waits[3]).toBeLessThanOrEqual(120)
  })

  test('gives up after three days', async () => {
    const { code, attempts } = await deliverTo([answering(429, { 'retry-after': '86400' })])
    expect(code).toBe(75)
    expect(attempts).toHaveLength(3)
  })

  test.each([400, 401, 404, 409, 413, 415])('does not send again after %i', async (status) => {
    const { code, attempts, err } = await deliverTo([answering(status)])
    expect(code).toBe(1)
    expect(attempts).toHaveLength(1)
    expect(err).toContain(`HTTP/1.1 ${status}`)
  })
})

interface Sender {
  language: string
  program: string
  args: (file: string) => string[]
  file: string
}

const senders: Sender[] = [
  { language: 'TypeScript', program: process.execPath, file: 'send-webhook.ts', args: (file) => [file] },
  { language: 'Python', program: 'python3', file: 'send_webhook.py', args: (file) => [file] },
  { language: 'PHP', program: 'php', file: 'send-webhook.php', args: (file) => [file] },
  { language: 'C#', program: 'dotnet', file: 'send-webhook.cs', args: (file) => ['run', file] },
]

const isHere = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined

describe('Each sender of the guide whose language the machine has', () => {
  const secret = 'nws_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg'

  /** Runs a sender against a service that gives these answers in order, and then repeats the last one. */
  const runSender = async (
    { program, args, file }: Sender,
    answers: ((response: ServerResponse) => void)[],
  ) => {
    const path = join(tools.folder, file)
    await writeFile(path, readGuideFile(file))
    const attempts: { id: string; isSigned: boolean; at: number }[] = []
    const server = createServer(async (request, response) => {
      const body = await buffer(request)
      const [, t, v1] = /^t=(\d+),v1=(.*)$/.exec(String(request.headers['service-signature'])) ?? []
      const id = String(request.headers['service-delivery-id'])
      const expected = createHmac('sha256', secret).update(`${t}.${id}.`).update(body).digest('hex')
      attempts.push({ id, isSigned: v1 === expected, at: Date.now() })
      answers[Math.min(attempts.length, answers.length) - 1]!(response)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const env = {
      ...process.env,
      NUMERA: `http://127.0.0.1:${port}`,
      SOURCE_ID: '0198c1d2-0000-7000-8000-000000000000',
      WEBHOOK_SECRET: secret,
    }
    try {
      const { code, out } = await new Promise<{ code: unknown; out: string }>((resolve) => {
        execFile(program, args(path), { env, timeout: 60_000 }, (error, stdout) =>
          resolve({ code: error === null ? 0 : error.code, out: stdout }),
        )
      })
      return { code, out, attempts }
    } finally {
      server.closeAllConnections()
      server.close()
    }
  }

  describe.each(senders)('$language', (sender) => {
    test.skipIf(!isHere(sender.program))(
      'obeys Retry-After, repeats the signed delivery, and prints the receipt',
      async () => {
        const { code, out, attempts } = await runSender(sender, [
          (response) => void response.writeHead(429, { 'retry-after': '2' }).end('{}'),
          (response) => void response.writeHead(202).end('{"artifact_id":"a"}'),
        ])
        expect(attempts.map(({ isSigned }) => isSigned)).toEqual([true, true])
        expect(attempts[1]!.id).toBe(attempts[0]!.id)
        expect(attempts[1]!.at - attempts[0]!.at).toBeGreaterThan(1_900)
        expect(code).toBe(0)
        expect(JSON.parse(out)).toEqual({ artifact_id: 'a' })
      },
    )

    test.skipIf(!isHere(sender.program))('does not repeat a refused delivery', async () => {
      const { code, attempts } = await runSender(sender, [
        (response) => void response.writeHead(409).end('{"code":"key_reused"}'),
      ])
      expect(attempts).toHaveLength(1)
      expect(code).not.toBe(0)
    })
  })
})
