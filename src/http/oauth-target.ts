import { pathOf } from './route-table.ts'

/** Whether a request target is of the OAuth endpoints, which answer errors in OAuth's own shape, whatever raised them. */
export function isOauthTarget(target: string | undefined): boolean {
  return target !== undefined && pathOf(target)?.startsWith('/oauth/') === true
}
