import { AskError } from './ask-error.ts'
import type { ConsoleApi } from './console-api.ts'

/** Method and path pattern, such as `GET /console/apps`. */
export type Address = keyof ConsoleApi

/** What a call answers with; undefined where it has no body. */
export type Answer<At extends Address> = ConsoleApi[At]['answer']

/** Parts of a call: `path` fills in the pattern, `query` comes after it, `body` is sent as JSON. */
export type Input<At extends Address> = Omit<ConsoleApi[At], 'answer'>

interface Parts {
  path?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
}

const errorOf = async (answer: Response): Promise<AskError> => {
  const body = (await answer.json().catch(() => ({}))) as { code?: string; message?: string }
  const wait = Number(answer.headers.get('retry-after') ?? Number.NaN)
  return new AskError(answer.status, {
    code: body.code,
    message: body.message,
    retryAfterS: Number.isFinite(wait) ? wait : undefined,
  })
}

/**
 * Calls the console API as the person who is signed in.
 *
 * @param csrfToken of the session, for the writes that need it
 * @throws AskError for every answer but success, and where none came
 */
export const ask = async <At extends Address>(
  address: At,
  input: Input<At>,
  csrfToken?: string,
): Promise<Answer<At>> => {
  const { path = {}, query, body } = input as Parts
  const [method, pattern] = address.split(' ') as [string, string]
  const filled = pattern.replaceAll(/\{(\w+)\}/g, (_part, name: string) => encodeURIComponent(path[name]!))
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`
  let answer: Response
  try {
    answer = await fetch(`${filled}${search}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(csrfToken === undefined ? {} : { 'x-csrf-token': csrfToken }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  } catch {
    throw new AskError(0)
  }
  if (!answer.ok) throw await errorOf(answer)
  return (answer.status === 204 ? undefined : await answer.json()) as Answer<At>
}
