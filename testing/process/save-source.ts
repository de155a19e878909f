import type { ConsoleClient } from './console-client.ts'

/**
 * Saves a source with changed settings or a changed declaration, in place of the revision that it has.
 *
 * @param path of the source in the console API
 */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read answers as they come
export async function saveSource<Received extends { body: any }>(
  client: Pick<ConsoleClient<Received>, 'get' | 'put'>,
  path: string,
  changes: object,
): Promise<Received> {
  const { body } = await client.get(path)
  const { name, system_kind, channel, format, revision } = body.source
  const { fields, event_time, metrics, delivers } = body.versions[0]
  const settings = { name, system_kind, channel, format }
  const declaration = { fields, event_time, metrics, delivers }
  return client.put(path, { ...settings, ...declaration, expected_revision: revision, ...changes })
}
