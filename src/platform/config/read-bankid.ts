import { resolve } from 'node:path'
import type { BankIdSettings, SecretSettings } from './config.ts'
import type { EnvironmentReader } from './environment-reader.ts'
import { Secret } from './secret.ts'

/** BankID's relying-party API 6.0 in production. */
const productionUrl = 'https://appapi2.bankid.com/rp/v6.0'

function readUrl(read: EnvironmentReader): string {
  const text = read.text('NUMERA_BANKID_URL') ?? productionUrl
  if (URL.parse(text)?.protocol !== 'https:' || /[?#@]/.test(text)) {
    read.refuse('NUMERA_BANKID_URL', `must be the https address of BankID, such as ${productionUrl}`)
  }
  return text.replace(/\/+$/, '')
}

function readFilePath(read: EnvironmentReader, name: string, what: string): string {
  const path = read.text(name)
  if (path === undefined) read.refuse(name, `must be set where NUMERA_IDENTITY has bankid: ${what}`)
  return resolve(path ?? '')
}

/** What connects this service with BankID, where it is used. The files are read where they are used. */
export function readBankId(
  read: EnvironmentReader,
  isUsed: boolean,
): { bankid: BankIdSettings | undefined; bankidPassphrase: SecretSettings['bankidPassphrase'] } {
  if (!isUsed) return { bankid: undefined, bankidPassphrase: undefined }
  const keyFile = read.text('NUMERA_BANKID_KEY_FILE')
  const passphrase = read.text('NUMERA_BANKID_PASSPHRASE')
  return {
    bankid: {
      url: readUrl(read),
      certificateFile: readFilePath(
        read,
        'NUMERA_BANKID_CERTIFICATE_FILE',
        'the file with the certificate that BankID knows this deployment by',
      ),
      keyFile: keyFile && resolve(keyFile),
      issuerFile: readFilePath(
        read,
        'NUMERA_BANKID_ISSUER_FILE',
        "the file with the certificate of who issued that of BankID's server",
      ),
      rootsFile: readFilePath(
        read,
        'NUMERA_BANKID_ROOTS_FILE',
        "the file with the roots of people's signatures",
      ),
    },
    bankidPassphrase: passphrase === undefined ? undefined : new Secret(passphrase),
  }
}
