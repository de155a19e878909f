/**
 * Whether `If-None-Match` names the tag of an answer: any of its list, compared weakly, since what compresses an answer on
 * its way makes the tag weak (RFC 9110, sections 8.8.3.2 and 13.1.2).
 */
export function isKnownTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some((listed) => {
    const tag = listed.trim().replace(/^W\//, '')
    return tag === etag || tag === '*'
  })
}
