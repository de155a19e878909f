import type { Connection } from '../company/lists.ts'

/** A shell takes everything literally within single quotes. Ids, secrets and addresses contain none. */
function line(name: string, value: string): string {
  return `${name}='${value}'\n`
}

/** What a system needs to call the service: its address and the credentials. */
export function envFile(
  { client_id }: Pick<Connection, 'client_id'>,
  serviceUrl: string,
  secret: string,
): string {
  const url = line('NUMERA_URL', serviceUrl)
  return client_id === null
    ? url + line('NUMERA_CREDENTIAL', secret)
    : url + line('NUMERA_CLIENT_ID', client_id) + line('NUMERA_CLIENT_SECRET', secret)
}
