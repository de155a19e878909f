import type { App } from './apps-query.ts'

/** What tells an app apart from others of its name: the host, and where that is the same, when it was allowed. */
export type Twin = 'none' | 'host' | 'date'

/** How much more than its name an app needs among those listed. */
export function twinOf(app: App, apps: readonly App[]): Twin {
  const named = apps.filter(
    ({ client_name, connection_id }) =>
      connection_id !== app.connection_id && client_name.trim() === app.client_name.trim(),
  )
  if (named.length === 0) return 'none'
  return named.some(({ redirect_host }) => redirect_host === app.redirect_host) ? 'date' : 'host'
}
