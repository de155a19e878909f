import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Issued } from './certificate.ts'
import { explicit, integer, nothing, objectIdentifier, octetString, sequence, set } from './der.ts'

const rounds = 2048
const data = '1.2.840.113549.1.7.1'
const bagTypes = '1.2.840.113549.1.12.10.1'

function repeated(bytes: Uint8Array, blockBytes: number): Buffer {
  return Buffer.alloc(Math.ceil(bytes.length / blockBytes) * blockBytes, bytes)
}

/** The key of the integrity check: RFC 7292 appendix B.2 with SHA-256, for one block and the purpose 3. */
function macKey(passphrase: string, salt: Uint8Array): Buffer {
  const password = Buffer.from(`${passphrase}\0`, 'utf16le').swap16()
  let digest: Buffer = Buffer.concat([Buffer.alloc(64, 3), repeated(salt, 64), repeated(password, 64)])
  for (let round = 0; round < rounds; round += 1) digest = createHash('sha256').update(digest).digest()
  return digest
}

function contentInfo(content: Uint8Array): Buffer {
  return sequence(objectIdentifier(data), explicit(0, octetString(content)))
}

function certificateBag({ certificate }: Issued, attributes: Uint8Array): Buffer {
  const held = sequence(
    objectIdentifier('1.2.840.113549.1.9.22.1'),
    explicit(0, octetString(certificate.raw)),
  )
  return sequence(objectIdentifier(`${bagTypes}.3`), explicit(0, held), attributes)
}

/** A PKCS#12 file (RFC 7292) with a certificate, its key under the pass phrase, and who issued it. */
export function makePkcs12(own: Issued, issuers: readonly Issued[], passphrase: string): Buffer {
  const ownId = set(sequence(objectIdentifier('1.2.840.113549.1.9.21'), set(octetString(Buffer.from([1])))))
  const key = own.keys.privateKey.export({
    type: 'pkcs8',
    format: 'der',
    cipher: 'aes-256-cbc',
    passphrase,
  })
  const bags = [
    sequence(certificateBag(own, ownId), ...issuers.map((issuer) => certificateBag(issuer, Buffer.alloc(0)))),
    sequence(sequence(objectIdentifier(`${bagTypes}.2`), explicit(0, key), ownId)),
  ]
  const contents = sequence(...bags.map(contentInfo))
  const salt = randomBytes(16)
  const mac = createHmac('sha256', macKey(passphrase, salt)).update(contents).digest()
  const digest = sequence(sequence(objectIdentifier('2.16.840.1.101.3.4.2.1'), nothing), octetString(mac))
  return sequence(integer(3), contentInfo(contents), sequence(digest, octetString(salt), integer(rounds)))
}
