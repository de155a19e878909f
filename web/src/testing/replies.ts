import { apiError, type Replies } from './api-stub.ts'
import { exampleSession } from './examples.ts'

// What a service answers in the tests of several pages.

export const signedOut = (): Response => apiError(401, 'unauthenticated')
export const unreachable = (): Response => Response.error()
export const broken = (): Response => apiError(500, 'internal')

export const signedIn: Replies = { 'GET /console/session': () => exampleSession() }

/** Answers with each reply in turn, and with the last one from then on. */
export function inTurn<Reply>(...replies: (() => Reply)[]): () => Reply {
  return () => (replies.length > 1 ? replies.shift()! : replies[0]!)()
}

/** A reply that comes when the test says so. */
export function later<Reply>(reply: Reply): { reply: () => Promise<Reply>; send: () => void } {
  const { promise, resolve } = Promise.withResolvers<Reply>()
  return { reply: () => promise, send: () => resolve(reply) }
}
