/** Every `resource` of a form (RFC 8707, 2), as often as it was given; undefined where none was. */
export function readResources(body: string): string[] | undefined {
  const named = new URLSearchParams(body).getAll('resource').filter((resource) => resource !== '')
  return named.length === 0 ? undefined : named
}
