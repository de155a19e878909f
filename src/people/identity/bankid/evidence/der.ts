/**
 * The Distinguished Encoding Rules (ITU-T X.690, 10), as far as certificates and OCSP responses need them. OpenSSL
 * verifies signatures.
 */

/** One value, with its octets. */
export interface DerValue {
  /** The identifier octet: class, constructed or not, and number. */
  tag: number
  content: Buffer
  whole: Buffer
}

/** The octets are not a value, or not in its one encoding. */
export class DerError extends Error {}

export const derTag = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  enumerated: 0x0a,
  generalizedTime: 0x18,
  sequence: 0x30,
} as const

/** Identifier octet of a context-specific value, `[number]`. */
export function contextTag(number: number, form: 'primitive' | 'constructed' = 'constructed'): number {
  return (form === 'constructed' ? 0xa0 : 0x80) | number
}

/** Longer values are not read, in octets. */
const derBytesMax = 65_536

function readValue(octets: Buffer, at: number): DerValue {
  const [tag, first] = [octets[at], octets[at + 1]]
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw new DerError()
  let length = first
  let start = at + 2
  if (first > 0x7f) {
    const lengthOctets = first & 0x7f
    start += lengthOctets
    if (lengthOctets < 1 || lengthOctets > 4 || start > octets.length) throw new DerError()
    length = octets.readUIntBE(at + 2, lengthOctets)
    // A shorter form exists.
    if (length < 0x80 || length < 0x1_00 ** (lengthOctets - 1)) throw new DerError()
  }
  const end = start + length
  if (length > derBytesMax || end > octets.length) throw new DerError()
  return { tag, content: octets.subarray(start, end), whole: octets.subarray(at, end) }
}

/** Reads octets that are exactly one value. @throws DerError */
export function readDer(octets: Buffer): DerValue {
  const value = readValue(octets, 0)
  if (value.whole.length !== octets.length) throw new DerError()
  return value
}

/** The content of a value of a tag. @throws DerError */
export function getContent(value: DerValue | undefined, tag: number): Buffer {
  if (value?.tag !== tag) throw new DerError()
  return value.content
}

/** The values within a value of a tag, such as a sequence. @throws DerError */
export function getMembers(value: DerValue | undefined, tag: number = derTag.sequence): DerValue[] {
  const content = getContent(value, tag)
  const members: DerValue[] = []
  for (let at = 0; at < content.length;) {
    const member = readValue(content, at)
    members.push(member)
    at += member.whole.length
  }
  return members
}

/** The only value within a value of a tag, as with explicit tagging. @throws DerError */
export function getMember(value: DerValue | undefined, tag: number): DerValue {
  const [member, ...others] = getMembers(value, tag)
  if (member === undefined || others.length > 0) throw new DerError()
  return member
}

/** An object identifier's octets in hexadecimal. @throws DerError */
export function getOid(value: DerValue | undefined): string {
  return getContent(value, derTag.oid).toString('hex')
}

/** A bit string of whole octets. @throws DerError */
export function getBits(value: DerValue | undefined): Buffer {
  const content = getContent(value, derTag.bitString)
  if (content[0] !== 0) throw new DerError()
  return content.subarray(1)
}

const generalizedTime = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/

/** A `GeneralizedTime` in whole seconds, as RFC 5280, 4.1.2.5.2 has it. @throws DerError */
export function readTime(value: DerValue | undefined): Date {
  const text = getContent(value, derTag.generalizedTime).toString('latin1')
  const iso = text.replace(generalizedTime, '$1-$2-$3T$4:$5:$6.000Z')
  const time = new Date(iso)
  if (iso === text || Number.isNaN(time.getTime()) || time.toISOString() !== iso) throw new DerError()
  return time
}
