/** A registered app: a public client, told apart by its id alone (specification "Registered app"; RFC 7591). */
import { randomInt } from 'node:crypto'
import type { Context } from '../../service/context.ts'
import { selectApp, updateLastUse } from './queries.ts'

export interface RegisteredApp {
  clientId: string
  /** Written by the app itself: to be shown as text, and beside the host that it is sent back to. */
  clientName: string
  /** As they were registered, byte for byte [oauth.redirect]. */
  redirectUris: string[]
}

/** The form of the ids that this service gives out; the database is asked for no other. */
export const clientIdPattern = /^app_[0-9A-Za-z]{22}$/

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62²² is above 2¹²⁸. */
const idLength = 22

/** A new id. It is no secret: addresses contain it. */
export function newClientId(): string {
  return `app_${Array.from({ length: idLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('')}`
}

/** The app of an id; undefined for any other text, and for an app that was removed. */
export async function findApp(
  context: Pick<Context, 'pool'>,
  clientId: string,
): Promise<RegisteredApp | undefined> {
  if (!clientIdPattern.test(clientId)) return undefined
  const row = await selectApp.first(context.pool, { clientId })
  if (row === undefined) return undefined
  return { clientId: row.client_id, clientName: row.client_name, redirectUris: row.redirect_uris }
}

/** Removal counts in days: recording a use once an hour is enough, and most calls then write nothing. */
const recordEveryMs = 60 * 60_000

/** Records that an app was used, so that it is not removed as unused. Written at most once an hour. */
export async function touchApp(context: Pick<Context, 'pool' | 'clock'>, clientId: string): Promise<void> {
  const now = context.clock.now()
  await updateLastUse.run(context.pool, {
    clientId,
    now: new Date(now),
    before: new Date(now - recordEveryMs),
  })
}
