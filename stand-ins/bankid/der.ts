import * as asn1 from 'asn1js'

/** Short forms of asn1js for the parts of OCSP responses and PKCS#12 files. */

export function toDer(block: asn1.BaseBlock): Buffer {
  return Buffer.from(block.toBER())
}

/** A value that is DER already, such as a certificate. */
export function embedded(der: Uint8Array): asn1.BaseBlock {
  return asn1.fromBER(der).result
}

export function sequence(...value: asn1.BaseBlock[]): asn1.BaseBlock {
  return new asn1.Sequence({ value })
}

export function set(...value: asn1.BaseBlock[]): asn1.BaseBlock {
  return new asn1.Set({ value })
}

/** A constructed, context-specific tag around its content. */
export function explicit(tagNumber: number, ...value: asn1.BaseBlock[]): asn1.BaseBlock {
  return new asn1.Constructed({ idBlock: { tagClass: 3, tagNumber }, value })
}

/** An empty primitive value whose context-specific tag replaces the one of its type. */
export function implicitNull(tagNumber: number): asn1.BaseBlock {
  return new asn1.Primitive({ idBlock: { tagClass: 3, tagNumber } })
}

export function oid(value: string): asn1.BaseBlock {
  return new asn1.ObjectIdentifier({ value })
}

export function octets(content: Uint8Array): asn1.BaseBlock {
  return new asn1.OctetString({ valueHex: content })
}

/** The identifier of an algorithm whose parameters are NULL. */
export function algorithm(value: string): asn1.BaseBlock {
  return sequence(oid(value), new asn1.Null())
}
