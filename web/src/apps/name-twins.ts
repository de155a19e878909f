import type { App } from './apps-query.ts'

/** What distinguishes an app from others of its name: its host, or for the same host, the time of the consent. */
export type Twin = 'none' | 'host' | 'date'

export function findTwin(app: App, apps: readonly App[]): Twin {
  const twins = apps.filter(
    ({ client_name, connection_id }) =>
      connection_id !== app.connection_id && client_name.trim() === app.client_name.trim(),
  )
  if (twins.length === 0) return 'none'
  return twins.some(({ redirect_host }) => redirect_host === app.redirect_host) ? 'date' : 'host'
}
