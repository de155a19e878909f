import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProvenSignature } from '../../people/identity/stored-signatures.ts'
import type { Signature } from '../../people/identity/list-signatures.ts'
import { OperatorError } from './operator-error.ts'

const script = new URL('verify-signature.sh', import.meta.url)

/** @throws OperatorError where the folder is not empty or cannot be created */
export async function createEmptyFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if ((await readdir(folder)).length === 0) return
  } catch (error) {
    throw new OperatorError(
      `${folder} cannot be created: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}.`,
    )
  }
  throw new OperatorError(`${folder} is not empty. Choose an empty or new folder.`)
}

/**
 * Writes the files that prove a signature with nothing but openssl, by the folder's `verify.sh`. They include the signer's
 * personal number; only the operator's user may read them.
 *
 * @returns the names of the files
 * @throws OperatorError where the folder is not empty or cannot be written
 */
export async function exportSignature(
  folder: string,
  signature: Signature,
  { content, evidence, root }: ProvenSignature,
): Promise<string[]> {
  await createEmptyFolder(folder)
  const files: Record<string, string | Uint8Array> = {
    'signature.base64': evidence.signature,
    'signed-info.xml': content.signedInfo,
    'signed-data.xml': content.signedData,
    'key-info.xml': content.keyInfo,
    'signature-value.bin': content.signatureValue,
    ...Object.fromEntries(
      content.certificates.map((each, index) => [`certificate-${index + 1}.pem`, each.toString()]),
    ),
    'root.pem': root.toString(),
    'ocsp-response.der': Buffer.from(evidence.ocsp_response, 'base64'),
    'visible-text.txt': evidence.visible_text,
    'record.json': signature.record,
  }
  for (const [name, bytes] of Object.entries(files)) {
    await writeFile(join(folder, name), bytes, { mode: 0o600, flag: 'wx' })
  }
  await copyFile(script, join(folder, 'verify.sh'))
  return [...Object.keys(files), 'verify.sh']
}
