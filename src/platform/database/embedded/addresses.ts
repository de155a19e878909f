/** The role and the database of the service itself. */
export const serviceName = 'numera'

/** The URLs of a server in this socket folder: for the service, and for its superuser. */
export function addresses(socketFolder: string, password: string): { url: string; adminUrl: string } {
  const address = (role: string, database: string): string =>
    `postgresql://${role}:${password}@localhost:5432/${database}?host=${encodeURIComponent(socketFolder)}`
  return { url: address(serviceName, serviceName), adminUrl: address('postgres', 'postgres') }
}
