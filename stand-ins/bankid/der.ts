/** Writes the distinguished encoding rules of ASN.1 (X.690), as far as certificates, OCSP answers and PKCS#12 need them. */

function lengthOf(content: Uint8Array): Buffer {
  if (content.length < 0x80) return Buffer.from([content.length])
  const hex = content.length.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

function tagged(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag]), lengthOf(content), content])
}

export function sequence(...parts: readonly Uint8Array[]): Buffer {
  return tagged(0x30, ...parts)
}

/** Of one element, or of elements that stand in order already. */
export function set(...parts: readonly Uint8Array[]): Buffer {
  return tagged(0x31, ...parts)
}

/** A constructed, context-specific tag around what it holds. */
export function explicit(number: number, ...parts: readonly Uint8Array[]): Buffer {
  return tagged(0xa0 | number, ...parts)
}

/** A primitive, context-specific tag in the place of the type's own. */
export function implicit(number: number, content: Uint8Array = Buffer.alloc(0)): Buffer {
  return tagged(0x80 | number, content)
}

/** Not negative; bytes are big-endian. */
export function integer(value: number | Uint8Array): Buffer {
  const hex = typeof value === 'number' ? value.toString(16) : Buffer.from(value).toString('hex')
  const digits = hex.replace(/^0+(?=.)/, '')
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
  return tagged(0x02, bytes[0]! >= 0x80 ? Buffer.from([0]) : Buffer.alloc(0), bytes)
}

export function enumerated(value: number): Buffer {
  return tagged(0x0a, Buffer.from([value]))
}

export function boolean(value: boolean): Buffer {
  return tagged(0x01, Buffer.from([value ? 0xff : 0]))
}

export const nothing = tagged(0x05)

export function octetString(content: Uint8Array): Buffer {
  return tagged(0x04, content)
}

/** @param unusedBits of the last byte */
export function bitString(content: Uint8Array, unusedBits = 0): Buffer {
  return tagged(0x03, Buffer.from([unusedBits]), content)
}

export function utf8String(text: string): Buffer {
  return tagged(0x0c, Buffer.from(text))
}

export function printableString(text: string): Buffer {
  return tagged(0x13, Buffer.from(text, 'ascii'))
}

/** To the second. */
export function generalizedTime(at: Date): Buffer {
  const digits = at.toISOString().replaceAll(/[-:T]|\..*/g, '')
  return tagged(0x18, Buffer.from(`${digits}Z`, 'ascii'))
}

/** Certificates write times before 2050 in this way (RFC 5280 section 4.1.2.5). */
export function certificateTime(at: Date): Buffer {
  const written = generalizedTime(at)
  return at.getUTCFullYear() < 2050 ? tagged(0x17, written.subarray(4)) : written
}

export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second, ...others].flatMap((arc) => {
    const sevens = [arc & 0x7f]
    for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) {
      sevens.unshift(0x80 | (rest & 0x7f))
    }
    return sevens
  })
  return tagged(0x06, Buffer.from(bytes))
}
