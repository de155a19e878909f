import { apiError, type Replies } from './api-stub.ts'
import { exampleSession } from './examples.ts'

// Replies that the tests of several pages share.

export const signedOut = (): Response => apiError(401, 'unauthenticated')
export const unreachable = (): Response => Response.error()
export const broken = (): Response => apiError(500, 'internal')

export const signedIn: Replies = { 'GET /console/session': () => exampleSession() }

/** Gives each reply in turn, then repeats the last one. */
export function inTurn<Reply>(...replies: (() => Reply)[]): () => Reply {
  return () => (replies.length > 1 ? replies.shift()! : replies[0]!)()
}

/** A reply that the test releases. */
export function later<Reply>(reply: Reply): { reply: () => Promise<Reply>; send: () => void } {
  const { promise, resolve } = Promise.withResolvers<Reply>()
  return { reply: () => promise, send: () => resolve(reply) }
}
