import type { App } from '../../src/platform/http/contract.ts'
import {
  type ConsoleClient as ConsoleClientOf,
  createConsoleClientOver,
  signInWith,
} from '../process/console-client.ts'
import { approveDemoOrder, type SeedContext } from './seed.ts'

export interface ConsoleAnswer {
  status: number
  /** Parsed JSON, or the text of a file; undefined without a body. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers as they come
  body: any
  headers: Record<string, number | string | string[] | undefined>
}

export type ConsoleClient = ConsoleClientOf<ConsoleAnswer>

/** A browser without a session, over injected requests. */
export function createConsoleClient(app: App): ConsoleClient {
  return createConsoleClientOver('http://localhost:8080', async ({ method, path, headers, body }) => {
    const answer = await app.inject({
      method: method as 'GET',
      url: path,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    const isJson = String(answer.headers['content-type']).startsWith('application/json')
    const text = answer.payload === '' ? undefined : answer.payload
    return {
      answer: {
        status: answer.statusCode,
        body: isJson && text !== undefined ? JSON.parse(text) : text,
        headers: answer.headers,
      },
      setCookies: [answer.headers['set-cookie'] ?? []].flat(),
    }
  })
}

/** A browser in which this person has signed in with the demo's electronic identity. */
export async function signInConsole(
  app: App,
  context: SeedContext,
  person: { personalNumber: string; name: string },
): Promise<ConsoleClient> {
  return signInWith(createConsoleClient(app), (openUrl) => approveDemoOrder(context, openUrl, person))
}
