/*
 * When an access token is renewed. Source: specification, "Authentication": a minute before `expires_in` runs out, and once more on
 * a 401; a second 401 is final.
 */

/** The minute before the end, or half the life of a token that lives for less than two. */
export function renewAtMs(issuedAtMs: number, expiresInSeconds: number): number {
  return issuedAtMs + Math.max(expiresInSeconds - 60, expiresInSeconds / 2) * 1000
}

/**
 * What follows a 401.
 *
 * @param isRenewable false for a static credential, of which there is no other
 * @param refusals how many 401 this call has got, this one included
 */
export function afterUnauthenticated(isRenewable: boolean, refusals: number): 'renew' | 'stop' {
  return isRenewable && refusals === 1 ? 'renew' : 'stop'
}
