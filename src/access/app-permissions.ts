/** Permissions that an app may ask for; `sources.ingest` is for service connections alone. */
export const appPermissions = ['company.read', 'metrics.read'] as const

export type AppPermission = (typeof appPermissions)[number]
