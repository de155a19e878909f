/** The address of the section of docs/errors.md about a reason: a code, or an OAuth `error`. */
export function errorHelp(baseUrl: string, reason: string): string {
  return `${baseUrl}/docs/errors#${reason}`
}
