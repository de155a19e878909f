import type { Command } from 'commander'
import type { Numera } from 'numera-client'
import { lookup } from 'node:dns/promises'
import { toFileOptions } from './check-command.ts'
import { exitCodes, type ExitCode } from './exit-code.ts'
import { findPermissions } from './permissions.ts'
import { addScope, onRun, type ScopeOptions, type Session } from './session.ts'
import { formatTable } from './table.ts'
import { toFailure } from './to-failure.ts'
import { readVersion } from './version.ts'

interface DoctorOptions extends ScopeOptions {
  file?: string
}

interface Finding {
  looked_at: string
  result: 'right' | 'wrong' | 'unknown'
  says: string
}

/** Signatures and tokens are refused beyond five minutes; a minute is already a sign of a clock that nothing sets. */
const clockDriftMaxMs = 60_000

export function defineDoctor(command: Command, session: Session): void {
  addScope(command).option('--file <file>', 'also check this file against the source')
  onRun<DoctorOptions>(command, session, async (options) => {
    const findings: Finding[] = []
    const find = (looked_at: string, result: Finding['result'], says: string): void => {
      findings.push({ looked_at, result, says })
    }
    find('versions', 'right', `numeractl ${await readVersion()}, Node ${process.versions.node}`)
    let headers = new Headers()
    const { numera, profile } = await session.connect(options, {
      giveUpAfterMs: 0,
      fetch: async (input, init) => {
        const response = await session.io.fetch(input, init)
        headers = response.headers
        return response
      },
    })
    find('address', 'right', profile.url)
    session.exitCode = await lookAtAll(session, options, {
      numera,
      url: profile.url,
      find,
      headers: () => headers,
    })
    if (session.isJson) for (const finding of findings) session.print(finding, '')
    else session.print(undefined, formatTable(['looked_at', 'result', 'says'], findings, ''))
  })
}

interface Patient {
  numera: Numera
  url: string
  find: (lookedAt: string, result: Finding['result'], says: string) => void
  /** Of the last answer. */
  headers: () => Headers
}

/** Looks at one thing after the other, until one is so wrong that the next cannot be looked at. */
async function lookAtAll(session: Session, options: DoctorOptions, patient: Patient): Promise<ExitCode> {
  const { find, numera, headers } = patient
  if (!(await lookAtNetwork(session, patient))) return exitCodes.unreachable
  const scope = session.toScope(options)
  let isRight = true
  let lookedAt = 'credential'
  try {
    const sources = await Array.fromAsync(numera.sources(scope))
    find(
      'credential',
      'right',
      `It is accepted, for ${sources.length} ${sources.length === 1 ? 'source' : 'sources'}.`,
    )
    const [limit, remaining] = ['limit', 'remaining'].map((name) => headers().get(`ratelimit-${name}`))
    find(
      'rate',
      remaining === '0' ? 'wrong' : 'right',
      `${remaining ?? '?'} calls left of ${limit ?? '?'} a minute`,
    )
    const source = sources.find(({ sourceId }) => sourceId === scope.sourceId) ?? sources[0]
    for (const { name, paused } of sources.filter((each) => each === source || each.paused)) {
      find(
        'source',
        paused ? 'wrong' : 'right',
        paused ? `${name} is paused: resume it on the company’s pages.` : `${name} is active.`,
      )
      isRight &&= !paused
    }
    lookedAt = 'permissions'
    const { permissions, kind } = await findPermissions(numera, {
      ...scope,
      ...(source && { sourceId: source.sourceId }),
    })
    find(
      'permissions',
      'right',
      `${permissions.join(', ') || 'none'}; ${kind ?? 'test or production is not known'}`,
    )
    if (options.file === undefined) return isRight ? exitCodes.done : exitCodes.refused
    lookedAt = 'file'
    const isWhole = await lookAtFile(session, options, patient, options.file)
    return isRight && isWhole ? exitCodes.done : isRight ? exitCodes.rowsRefused : exitCodes.refused
  } catch (error) {
    const failure = toFailure(error)
    if (failure === undefined) throw error
    find(lookedAt, 'wrong', failure.message.replaceAll('\n', ' '))
    return failure.exitCode
  }
}

/** Name, connection with TLS, whether it is Numera, and the clock. */
async function lookAtNetwork({ io }: Session, { url, find }: Patient): Promise<boolean> {
  const { hostname, protocol } = new URL(url)
  try {
    const { address } = await lookup(hostname.replace(/^\[|\]$/g, ''))
    find('name', 'right', `${hostname} is ${address}`)
  } catch (error) {
    find(
      'name',
      'wrong',
      `${hostname} has no address (${(error as NodeJS.ErrnoException).code}). Is the address right?`,
    )
    return false
  }
  try {
    const answer = await io.fetch(`${url}/.well-known/oauth-authorization-server`, {
      redirect: 'manual',
      signal: AbortSignal.any([io.signal, AbortSignal.timeout(10_000)]),
    })
    const isService = answer.status === 200 && 'issuer' in ((await answer.json().catch(() => ({}))) as object)
    const how = protocol === 'https:' ? 'with a valid certificate' : 'without TLS'
    find(
      'connection',
      isService ? 'right' : 'wrong',
      isService
        ? `It answers, ${how}.`
        : `Something answers ${answer.status}, and it is not Numera: check the address and what is in between.`,
    )
    const serverMs = Date.parse(answer.headers.get('date') ?? '')
    const driftMs = io.clock.now() - serverMs
    const isClockRight = Math.abs(driftMs) < clockDriftMaxMs
    const seconds = Math.round(driftMs / 1000)
    if (Number.isNaN(driftMs)) find('clock', 'unknown', 'The answer has no date.')
    else
      find(
        'clock',
        isClockRight ? 'right' : 'wrong',
        `${seconds} s off the service’s${isClockRight ? '' : ': set it, or signatures are refused'}`,
      )
    return isService
  } catch (error) {
    const { cause = error } = error as Error
    const { code, message } = cause as NodeJS.ErrnoException
    find(
      'connection',
      'wrong',
      `${code ?? message}. Is a proxy or a firewall in between, or the certificate not trusted?`,
    )
    return false
  }
}

async function lookAtFile(
  session: Session,
  options: DoctorOptions,
  { numera, find }: Patient,
  file: string,
): Promise<boolean> {
  let isWhole = true
  for await (const report of numera.checkFile(file, await toFileOptions(session, options, file))) {
    const { part, outcome, refusal, reason, rowsAccepted, rowsRefused, droppedKeys } = report
    const isPartWhole = outcome !== 'refused' && reason === null && (rowsRefused ?? 0) === 0
    isWhole &&= isPartWhole
    const counts = `part ${part}: ${rowsAccepted ?? 0} rows would count, ${rowsRefused ?? 0} be refused`
    const dropped = droppedKeys.length === 0 ? '' : `; not declared: ${droppedKeys.join(', ')}`
    const why = refusal?.message ?? reason
    find('file', isPartWhole ? 'right' : 'wrong', `${counts}${dropped}${why ? `; ${why}` : ''}`)
  }
  return isWhole
}
