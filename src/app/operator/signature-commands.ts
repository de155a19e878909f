import type { AppContext } from '../app-context.ts'
import type { X509Certificate } from 'node:crypto'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { ConfigError } from '../../platform/config/config-error.ts'
import type { Page } from '../../platform/http/pagination.ts'
import { NotVerified } from '../../people/identity/bankid/evidence/not-verified.ts'
import { readCertificates } from '../../people/identity/bankid/credentials.ts'
import {
  everyStoredSignature,
  findStoredSignature,
  proveStoredSignature,
  type StoredSignature,
} from '../../people/identity/stored-signatures.ts'
import {
  listSignaturesOfCompany,
  listSignaturesOfMember,
  type Signature,
} from '../../people/identity/list-signatures.ts'
import { printable } from '../../formats/values/printable.ts'
import { addCommand, namedCompany } from './add-command.ts'
import { exportSignature } from './export-signature.ts'
import { OperatorError, orThrow } from './operator-error.ts'
import { namedMember, parseId, parseWholeNumber, readPersonalNumber } from './read-input.ts'
import { formatFields, formatTable } from './table.ts'

/** How many invalid signatures are named when all are verified; further ones are counted. */
export const namedFailuresMax = 100

const noSuch = 'There is no signature with this id.'
const numberOption = '--personal-number'

/** Without the member's name. */
function signatureAnswer(signature: Signature) {
  return {
    signature_id: signature.signatureId,
    signed_at: signature.signedAt.toISOString(),
    provider: signature.provider,
    subject: signature.subject,
    company_id: signature.companyId,
    member_id: signature.member.memberId,
    record_sha256: signature.recordSha256,
  }
}

const listColumns = ['signature_id', 'signed_at', 'provider', 'subject', 'member_id', 'company_id']

interface ListOptions {
  company?: string
  personalNumber?: string
  limit: number
  cursor?: string
}

async function readPage(context: AppContext, options: ListOptions): Promise<Page<Signature>> {
  const { company, personalNumber, limit, cursor } = options
  if ((company === undefined) === (personalNumber === undefined)) {
    throw new OperatorError(`Give either --company or ${numberOption}.`)
  }
  const page = cursor === undefined ? { limit } : { limit, cursor }
  if (company !== undefined) {
    const { companyId } = await namedCompany(context, company)
    return listSignaturesOfCompany(context, companyId, page)
  }
  const number = await readPersonalNumber(personalNumber, numberOption)
  return listSignaturesOfMember(context, (await namedMember(context, number)).memberId, page)
}

function addListCommand(parent: Command): void {
  addCommand<ListOptions>(
    parent,
    {
      name: 'list',
      description: "list a company's or a member's signatures, the newest first",
      example: '--company 556016-0680',
      options: (command) =>
        command
          .option('--company <orgnr>', 'organisation number')
          .option(`${numberOption} <number>`, 'of the member; "-" reads it from standard input')
          .option('--limit <number>', 'the most to list, 1 to 200', parseWholeNumber, 50)
          .option('--cursor <text>', 'continue after the previous list'),
    },
    async (context, options) => {
      const { items, nextCursor } = await readPage(context, options)
      const signatures = items.map(signatureAnswer)
      const table = formatTable(listColumns, signatures, 'Nothing has been signed yet.')
      const more = nextCursor === null ? '' : `\nThere are more: --cursor ${nextCursor}`
      return { json: { signatures, next_cursor: nextCursor }, text: `${table}${more}` }
    },
  )
}

function indent(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => `  ${printable(line)}`.trimEnd())
    .join('\n')
}

function addShowCommand(parent: Command): void {
  addCommand<{ signature: string }>(
    parent,
    {
      name: 'show',
      description: 'show what was signed: the text that the person read, and the record',
      example: '--signature 0198…',
      options: (command) => command.requiredOption('--signature <id>', 'the signature', parseId),
    },
    async (context, options) => {
      const signature = await orThrow(findStoredSignature(context, options.signature), noSuch)
      const answer = signatureAnswer(signature)
      const { visibleText, record } = signature
      return {
        json: { ...answer, visible_text: visibleText, record: JSON.parse(record) as unknown },
        text: `${formatFields(answer)}\nvisible_text:\n${indent(visibleText)}\nrecord:\n${indent(record)}`,
      }
    },
  )
}

type Outcome =
  | { outcome: 'verified'; ocsp_at: string; certificate_serial: string }
  | { outcome: 'not_verified'; reason: string }
  | { outcome: 'proves_nothing' }

const rootsOption = [
  '--roots <file>',
  'PEM file of root certificates; NUMERA_BANKID_ROOTS_FILE by default',
] as const

/** @throws OperatorError where there are none */
function readRoots(context: AppContext, file: string | undefined): X509Certificate[] {
  const path = file === undefined ? context.config.bankid?.rootsFile : resolve(file)
  if (path === undefined) {
    throw new OperatorError(
      'BankID is not configured here: give the file of its root certificates with --roots.',
    )
  }
  try {
    return readCertificates(file === undefined ? 'NUMERA_BANKID_ROOTS_FILE' : '--roots', path)
  } catch (error) {
    if (error instanceof ConfigError) throw new OperatorError(`${error.problems.join('; ')}.`)
    throw error
  }
}

const provesNothing = 'a signature with the demo identity, which proves nothing'

/** Reads the roots once, before the first signature to verify. */
function createVerifier(
  context: AppContext,
  file: string | undefined,
): (stored: StoredSignature) => Promise<Outcome> {
  let roots: X509Certificate[] | undefined
  return async (stored) => {
    if (stored.provider !== 'bankid') return { outcome: 'proves_nothing' }
    roots ??= readRoots(context, file)
    try {
      const { verified } = await proveStoredSignature(context, stored, roots)
      return {
        outcome: 'verified',
        ocsp_at: verified.ocspAt.toISOString(),
        certificate_serial: verified.certificateSerial,
      }
    } catch (error) {
      if (!(error instanceof NotVerified)) throw error
      return { outcome: 'not_verified', reason: error.reason }
    }
  }
}

function outcomeText(signatureId: string, outcome: Outcome): string {
  if (outcome.outcome === 'verified') return `${signatureId}: valid, signed at ${outcome.ocsp_at}`
  if (outcome.outcome === 'proves_nothing') return `${signatureId}: ${provesNothing}`
  return `${signatureId}: invalid: ${outcome.reason}`
}

async function verifyAll(context: AppContext, file: string | undefined) {
  const verify = createVerifier(context, file)
  const counts = { verified: 0, not_verified: 0, proves_nothing: 0 }
  const failures: { signature_id: string; reason: string }[] = []
  for await (const stored of everyStoredSignature(context)) {
    const outcome = await verify(stored)
    counts[outcome.outcome]++
    if (outcome.outcome === 'not_verified' && failures.length < namedFailuresMax) {
      failures.push({ signature_id: stored.signatureId, reason: outcome.reason })
    }
  }
  if (counts.not_verified > 0) process.exitCode = 1
  const unnamed = counts.not_verified - failures.length
  return {
    json: { ...counts, failures },
    text: [
      ...failures.map(({ signature_id: id, reason }) => outcomeText(id, { outcome: 'not_verified', reason })),
      ...(unnamed > 0 ? [`and ${unnamed} more`] : []),
      `${counts.verified} valid, ${counts.not_verified} invalid.`,
      ...(counts.proves_nothing > 0
        ? [`${counts.proves_nothing} are from the demo identity and prove nothing.`]
        : []),
    ].join('\n'),
  }
}

interface VerifyOptions {
  signature?: string
  all?: true
  roots?: string
}

function addVerifyCommand(parent: Command): void {
  addCommand<VerifyOptions>(
    parent,
    {
      name: 'verify',
      description:
        'verify stored evidence again: signature, certificates and OCSP response at the time of signing, and that text, record and member match; exit code 1 where one is invalid',
      example: '--all',
      options: (command) =>
        command
          .option('--signature <id>', 'the signature', parseId)
          .option('--all', 'every signature')
          .option(...rootsOption),
    },
    async (context, { signature: signatureId, all, roots }) => {
      if ((signatureId === undefined) === (all === undefined)) {
        throw new OperatorError('Give either --signature or --all.')
      }
      if (signatureId === undefined) return verifyAll(context, roots)
      const stored = await orThrow(findStoredSignature(context, signatureId), noSuch)
      const outcome = await createVerifier(context, roots)(stored)
      if (outcome.outcome === 'not_verified') process.exitCode = 1
      return { json: { signature_id: signatureId, ...outcome }, text: outcomeText(signatureId, outcome) }
    },
  )
}

interface ExportOptions {
  signature: string
  folder: string
  roots?: string
}

function addExportCommand(parent: Command): void {
  addCommand<ExportOptions>(
    parent,
    {
      name: 'export',
      description:
        'write files that verify a signature without Numera, with openssl; they include a personal number',
      example: '--signature 0198… --folder ./signature',
      options: (command) =>
        command
          .requiredOption('--signature <id>', 'the signature', parseId)
          .requiredOption('--folder <path>', 'an empty or new folder')
          .option(...rootsOption),
    },
    async (context, { signature: signatureId, folder, roots }) => {
      const stored = await orThrow(findStoredSignature(context, signatureId), noSuch)
      if (stored.provider !== 'bankid') {
        throw new OperatorError(`It is ${provesNothing}: there is nothing to export.`, {
          showsExample: false,
        })
      }
      const rootCertificates = readRoots(context, roots)
      const proven = await proveStoredSignature(context, stored, rootCertificates).catch((error: unknown) => {
        if (!(error instanceof NotVerified)) throw error
        throw new OperatorError(`It is invalid: ${error.reason}. Nothing was written.`, {
          showsExample: false,
        })
      })
      const path = resolve(folder)
      const files = await exportSignature(path, stored, proven)
      return {
        json: { signature_id: signatureId, folder: path, files, has_personal_number: true },
        text: [
          `Written to ${path}: ${files.join(', ')}.`,
          `Verify it with: sh ${path}/verify.sh`,
          "The folder has the signer's name and personal number: store it accordingly.",
        ].join('\n'),
      }
    },
  )
}

/** `signature list`, `show`, `verify`, `export` */
export function addSignatureCommands(program: Command): void {
  const signature = program.command('signature').description('list, verify and export signatures')
  addListCommand(signature)
  addShowCommand(signature)
  addVerifyCommand(signature)
  addExportCommand(signature)
}
