import { type BaseBlock, Integer } from 'asn1js'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Issued } from './certificate.ts'
import { algorithm, embedded, explicit, octets, oid, sequence, set, toDer } from './der.ts'

const rounds = 2048
const dataType = '1.2.840.113549.1.7.1'
const bagTypes = '1.2.840.113549.1.12.10.1'

function repeat(bytes: Uint8Array, blockBytes: number): Buffer {
  return Buffer.alloc(Math.ceil(bytes.length / blockBytes) * blockBytes, bytes)
}

/** The key of the MAC: RFC 7292 appendix B.2 with SHA-256, one block, ID 3. */
function deriveMacKey(passphrase: string, salt: Uint8Array): Buffer {
  const password = Buffer.from(`${passphrase}\0`, 'utf16le').swap16()
  let digest: Buffer = Buffer.concat([Buffer.alloc(64, 3), repeat(salt, 64), repeat(password, 64)])
  for (let round = 0; round < rounds; round += 1) digest = createHash('sha256').update(digest).digest()
  return digest
}

function contentInfo(content: BaseBlock): BaseBlock {
  return sequence(oid(dataType), explicit(0, octets(toDer(content))))
}

function certificateBag({ certificate }: Issued, ...attributes: BaseBlock[]): BaseBlock {
  const x509 = sequence(oid('1.2.840.113549.1.9.22.1'), explicit(0, octets(certificate.raw)))
  return sequence(oid(`${bagTypes}.3`), explicit(0, x509), ...attributes)
}

/** A PKCS#12 file (RFC 7292) with a certificate, its key under the pass phrase, and the certificates of its issuers. */
export function createPkcs12(own: Issued, issuers: readonly Issued[], passphrase: string): Buffer {
  const ownId = set(sequence(oid('1.2.840.113549.1.9.21'), set(octets(Buffer.from([1])))))
  const key = own.keys.privateKey.export({
    type: 'pkcs8',
    format: 'der',
    cipher: 'aes-256-cbc',
    passphrase,
  })
  const bags = [
    sequence(certificateBag(own, ownId), ...issuers.map((issuer) => certificateBag(issuer))),
    sequence(sequence(oid(`${bagTypes}.2`), explicit(0, embedded(key)), ownId)),
  ]
  const contents = sequence(...bags.map(contentInfo))
  const salt = randomBytes(16)
  const mac = createHmac('sha256', deriveMacKey(passphrase, salt)).update(toDer(contents)).digest()
  const digest = sequence(algorithm('2.16.840.1.101.3.4.2.1'), octets(mac))
  const version = new Integer({ value: 3 })
  const iterations = new Integer({ value: rounds })
  return toDer(sequence(version, contentInfo(contents), sequence(digest, octets(salt), iterations)))
}
