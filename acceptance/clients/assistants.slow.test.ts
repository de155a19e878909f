import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as Client2025 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, test } from 'vitest'
import { call } from '../../testing/process/call.ts'
import { AppStorage } from './app-storage.ts'
import { startClientScene } from './client-scene.ts'

const scene = await startClientScene()
const { member, url, callback, orgnr, sourceId } = scene
const tools = new URL(`${url}/mcp`)
const metric = 'revenue'

interface Result {
  isError?: boolean | undefined
  structuredContent?: Record<string, unknown> | undefined
  content: unknown
}
interface Assistant {
  /** Rejects while the member has not allowed it. */
  connect(): Promise<void>
  /** What the member's browser came back with. */
  finish(parameters: URLSearchParams): Promise<void>
  use(name: string, given: Record<string, unknown>): Promise<Result>
}

const info = { name: 'test', version: '1' }

function startAssistant(storage: AppStorage): Assistant {
  const client = new Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  const transport = new StreamableHTTPClientTransport(tools, { authProvider: storage })
  return {
    connect: async () => client.connect(new StreamableHTTPClientTransport(tools, { authProvider: storage })),
    finish: (parameters) => transport.finishAuth(parameters),
    use: (name, given) => client.callTool({ name, arguments: given }) as Promise<Result>,
  }
}

function startAssistantOf2025(storage: AppStorage): Assistant {
  const client = new Client2025(info)
  const transport = new Transport2025(tools, { authProvider: storage })
  return {
    connect: async () => client.connect(new Transport2025(tools, { authProvider: storage })),
    finish: (parameters) => transport.finishAuth(parameters.get('code')!),
    use: (name, given) => client.callTool({ name, arguments: given }) as unknown as Promise<Result>,
  }
}

test.for([
  ['2026', startAssistant],
  ['2025', startAssistantOf2025],
] as const)(
  'an assistant of %s registers, is allowed by a signature, uses every tool, and is refused once its access has ended',
  async ([, start]) => {
    const storage = new AppStorage(callback.redirectUri)
    const assistant = start(storage)
    await expect(assistant.connect()).rejects.toThrow('Unauthorized')
    expect(storage.sentTo!.searchParams.get('resource')).toBe(tools.href)
    const cameBack = await member.allow(storage.sentTo!)
    await assistant.finish(cameBack.searchParams)
    await assistant.connect()

    const use = async (name: string, given: Record<string, unknown> = {}) => {
      const { isError, structuredContent, content } = await assistant.use(name, given)
      expect(isError, JSON.stringify(content)).not.toBe(true)
      return structuredContent!
    }
    const at = { metric, orgnr, source_id: sourceId }
    const day = { ...at, from: '2026-01-15', to: '2026-01-16' }
    expect(await use('list_companies')).toMatchObject({ companies: [{ orgnr }] })
    expect(await use('list_sources')).toMatchObject({ sources: [{ source_id: sourceId }] })
    expect(await use('read_metric', day)).toMatchObject({ total: '249.5' })
    const earlier = { earlier_from: '2026-01-14', earlier_to: '2026-01-15' }
    expect(await use('compare_periods', { ...day, ...earlier })).toMatchObject({ range: { value: '249.5' } })
    const trace = await use('trace_value', { ...at, period_start: '2026-01-15' })
    expect(trace).toMatchObject({ value: '249.5', deliveries: [{ delivery_id: expect.any(String) }] })
    const [{ delivery_id }] = trace['deliveries'] as [{ delivery_id: string }]
    expect(await use('explain_delivery', { orgnr, delivery_id })).toMatchObject({
      state: 'parsed',
      rows_accepted: 1,
    })

    const { client_id } = storage.clientInformation()!
    await call(`${url}/oauth/revoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id, token: storage.tokens()!.refresh_token! }).toString(),
    })
    await expect(assistant.use('list_companies', {})).rejects.toThrow('Unauthorized')
  },
)
