/** A registered app: a public client, identified only by its id (specification "Registered app"; RFC 7591). */
import { randomInt } from 'node:crypto'
import type { DirectoryContext } from '../../context.ts'
import { selectApp, updateLastUse } from './queries.ts'

export interface RegisteredApp {
  clientId: string
  /** Written by the app itself: show it as text, together with the host that the member is sent back to. */
  clientName: string
  /** As registered, byte for byte [oauth.redirect]. */
  redirectUris: string[]
}

/** Matches the ids of this service; no other is looked up. */
export const clientIdPattern = /^app_[0-9A-Za-z]{22}$/

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62²² is above 2¹²⁸. */
const idLength = 22

/** An id is not secret: addresses contain it. */
export function newClientId(): string {
  return `app_${Array.from({ length: idLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('')}`
}

/** Undefined if no such app is registered, or it was removed. */
export async function findApp(
  { pool }: Pick<DirectoryContext, 'pool'>,
  clientId: string,
): Promise<RegisteredApp | undefined> {
  const row = clientIdPattern.test(clientId) ? await selectApp.first(pool, { clientId }) : undefined
  return row && { clientId: row.client_id, clientName: row.client_name, redirectUris: row.redirect_uris }
}

/** How often a use is recorded, in milliseconds: unused apps are removed after days. */
const recordEveryMs = 60 * 60_000

/** Records that an app was used, at most once an hour. */
export async function touchApp(
  { pool, clock }: Pick<DirectoryContext, 'pool' | 'clock'>,
  clientId: string,
): Promise<void> {
  const now = clock.now()
  await updateLastUse.run(pool, { clientId, now: new Date(now), before: new Date(now - recordEveryMs) })
}
