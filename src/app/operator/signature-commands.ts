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
import { readPersonalNumber } from './ask.ts'
import { withExample } from './examples.ts'
import { exportSignature } from './export-signature.ts'
import { namedCompany, namedMember, orThrow } from './named-company.ts'
import { OperatorError } from './operator-error.ts'
import { parseId, parseWholeNumber } from './read-input.ts'
import { runCommand } from './run-command.ts'
import { formatFields, formatTable } from './table.ts'

/**
 * How many signatures that do not hold are named when all are verified. Further ones are counted: with a wrong file of
 * roots it is all of them.
 */
export const namedFailuresMax = 100

const noSuch = 'There is no signature with this id.'
const numberOption = '--personal-number'

/** With the member's id alone: who they are is not printed. */
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

async function listed(context: AppContext, options: ListOptions): Promise<Page<Signature>> {
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

function registerList(parent: Command): void {
  withExample(parent.command('list'), 'signature list --company 556016-0680')
    .description('list what was signed for a company, or by a member, the newest first')
    .option('--company <orgnr>', 'the company')
    .option(`${numberOption} <number>`, 'of the member; "-" reads it from standard input')
    .option('--limit <number>', 'how many, 1 to 200', parseWholeNumber, 50)
    .option('--cursor <text>', 'continue where the previous list ended')
    .option('--json', 'answer in JSON')
    .action(async (options: ListOptions, command: Command) => {
      await runCommand(command, async (context) => {
        const { items, nextCursor } = await listed(context, options)
        const signatures = items.map(signatureAnswer)
        const table = formatTable(listColumns, signatures, 'Nothing has been signed yet.')
        const more = nextCursor === null ? '' : `\nThere are more: --cursor ${nextCursor}`
        return { json: { signatures, next_cursor: nextCursor }, text: `${table}${more}` }
      })
    })
}

function indented(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => `  ${printable(line)}`.trimEnd())
    .join('\n')
}

function registerShow(parent: Command): void {
  withExample(parent.command('show'), 'signature show --signature 0198…')
    .description('show what was signed: the text that the person read, and the record')
    .requiredOption('--signature <id>', 'the signature', parseId)
    .option('--json', 'answer in JSON')
    .action(async (options: { signature: string }, command: Command) => {
      await runCommand(command, async (context) => {
        const signature = await orThrow(findStoredSignature(context, options.signature), noSuch)
        const answer = signatureAnswer(signature)
        const { visibleText, record } = signature
        return {
          json: { ...answer, visible_text: visibleText, record: JSON.parse(record) as unknown },
          text: `${formatFields(answer)}\nvisible_text:\n${indented(visibleText)}\nrecord:\n${indented(record)}`,
        }
      })
    })
}

/** `verified`, `not_verified`, or of a provider whose signatures prove nothing or cannot be verified here. */
type Outcome =
  | { outcome: 'verified'; ocsp_at: string; certificate_serial: string }
  | { outcome: 'not_verified'; reason: string }
  | { outcome: 'proves_nothing' }

const rootsOption = [
  '--roots <file>',
  'certificates of the roots, PEM; NUMERA_BANKID_ROOTS_FILE by default',
] as const

/** @throws OperatorError where there are none */
function readRoots(context: AppContext, file: string | undefined): X509Certificate[] {
  const path = file === undefined ? context.config.bankid?.rootsFile : resolve(file)
  if (path === undefined) {
    throw new OperatorError(
      'BankID is not configured here: name the file with the roots of its signatures with --roots.',
    )
  }
  try {
    return readCertificates(file === undefined ? 'NUMERA_BANKID_ROOTS_FILE' : '--roots', path)
  } catch (error) {
    if (error instanceof ConfigError) throw new OperatorError(`${error.problems.join('; ')}.`)
    throw error
  }
}

const provesNothing = 'a signature with the demo’s electronic identity, which proves nothing'

/** Reads the roots once, and only where there is a signature to verify. */
function judge(context: AppContext, file: string | undefined): (stored: StoredSignature) => Promise<Outcome> {
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
  if (outcome.outcome === 'verified') return `${signatureId}: holds, signed at ${outcome.ocsp_at}`
  if (outcome.outcome === 'proves_nothing') return `${signatureId}: ${provesNothing}`
  return `${signatureId}: does not hold: ${outcome.reason}`
}

async function verifyAll(context: AppContext, file: string | undefined) {
  const judged = judge(context, file)
  const counts = { verified: 0, not_verified: 0, proves_nothing: 0 }
  const failures: { signature_id: string; reason: string }[] = []
  for await (const stored of everyStoredSignature(context)) {
    const outcome = await judged(stored)
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
      `${counts.verified} hold, ${counts.not_verified} do not.`,
      ...(counts.proves_nothing > 0
        ? [`${counts.proves_nothing} were made with the demo’s electronic identity, and prove nothing.`]
        : []),
    ].join('\n'),
  }
}

interface VerifyOptions {
  signature?: string
  all?: true
  roots?: string
}

function registerVerify(parent: Command): void {
  withExample(parent.command('verify'), 'signature verify --all')
    .description(
      'verify the kept evidence again: signature, certificates and OCSP response as of then, and that text, record and member belong to it; exit code 1 where one does not hold',
    )
    .option('--signature <id>', 'the signature', parseId)
    .option('--all', 'every signature')
    .option(...rootsOption)
    .option('--json', 'answer in JSON')
    .action(async ({ signature: signatureId, all, roots }: VerifyOptions, command: Command) => {
      await runCommand(command, async (context) => {
        if ((signatureId === undefined) === (all === undefined)) {
          throw new OperatorError('Give either --signature or --all.')
        }
        if (signatureId === undefined) return verifyAll(context, roots)
        const stored = await orThrow(findStoredSignature(context, signatureId), noSuch)
        const outcome = await judge(context, roots)(stored)
        if (outcome.outcome === 'not_verified') process.exitCode = 1
        return {
          json: { signature_id: signatureId, ...outcome },
          text: outcomeText(signatureId, outcome),
        }
      })
    })
}

interface ExportOptions {
  signature: string
  folder: string
  roots?: string
}

function registerExport(parent: Command): void {
  withExample(parent.command('export'), 'signature export --signature 0198… --folder ./signature')
    .description('write what verifies a signature without Numera, by openssl alone; it has a personal number')
    .requiredOption('--signature <id>', 'the signature', parseId)
    .requiredOption('--folder <path>', 'where to: empty or new')
    .option(...rootsOption)
    .option('--json', 'answer in JSON')
    .action(async (options: ExportOptions, command: Command) => {
      await runCommand(command, async (context) => {
        const { signature: signatureId, folder } = options
        const stored = await orThrow(findStoredSignature(context, signatureId), noSuch)
        if (stored.provider !== 'bankid') {
          throw new OperatorError(`It is ${provesNothing}: there is nothing to export.`, {
            showsExample: false,
          })
        }
        const roots = readRoots(context, options.roots)
        const proven = await proveStoredSignature(context, stored, roots).catch((error: unknown) => {
          if (!(error instanceof NotVerified)) throw error
          throw new OperatorError(`It does not hold: ${error.reason}. Nothing was written.`, {
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
            'The folder has the signer’s name and personal number: keep it as such.',
          ].join('\n'),
        }
      })
    })
}

/** `signature list`, `show`, `verify`, `export`: they only read. */
export function addSignatureCommands(program: Command): void {
  const signature = program.command('signature').description('what people have signed, and the proof of it')
  registerList(signature)
  registerShow(signature)
  registerVerify(signature)
  registerExport(signature)
}
