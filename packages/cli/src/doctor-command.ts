import type { Command } from 'commander'
import type { Numera } from 'numera-client'
import { lookup } from 'node:dns/promises'
import { isWhole, toFileOptions } from './check-command.ts'
import { exitCodes, type ExitCode } from './exit-code.ts'
import { findPermissions } from './permissions.ts'
import { addScope, onRun, type ScopeOptions, type Session } from './session.ts'
import { toFailure } from './to-failure.ts'
import { readVersion } from './version.ts'

interface DoctorOptions extends ScopeOptions {
  file?: string
}

interface Finding {
  looked_at: string
  /** `done` where nothing is wrong; otherwise what the command ends with. */
  exitCode: ExitCode
  says: string
}

/** The service refuses signatures that are five minutes off; a minute is already the sign of a clock that nothing sets. */
const clockDriftMaxMs = 60_000

const right = (looked_at: string, says: string): Finding => ({ looked_at, exitCode: exitCodes.done, says })
const wrong = (looked_at: string, says: string, exitCode: ExitCode = exitCodes.refused): Finding => ({
  looked_at,
  exitCode,
  says,
})

export function defineDoctor(command: Command, session: Session): void {
  addScope(command).option('--file <file>', 'also check this file against the source')
  onRun<DoctorOptions>(command, session, async (options) => {
    const rows: object[] = []
    for await (const { exitCode, ...finding } of lookAtAll(session, options)) {
      const row = { ...finding, result: exitCode === exitCodes.done ? 'right' : 'wrong' }
      if (session.exitCode === exitCodes.done) session.exitCode = exitCode
      rows.push(row)
    }
    await session.printTable(['looked_at', 'result', 'says'], rows, '')
  })
}

/** Looks at one thing after the other, until one is so wrong that the next cannot be looked at. */
async function* lookAtAll(session: Session, options: DoctorOptions): AsyncGenerator<Finding> {
  let headers = new Headers()
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await session.io.fetch(input, init)
    headers = response.headers
    return response
  }
  yield right('versions', `numeractl ${await readVersion()}, Node ${process.versions.node}`)
  const { numera, profile } = await session.connect(options, { giveUpAfterMs: 0, fetch })
  for await (const finding of lookAtNetwork(session, profile.url)) {
    yield finding
    if (finding.exitCode === exitCodes.unreachable) return
  }
  let lookedAt = 'credential'
  try {
    const scope = session.toScope(options)
    const sources = await Array.fromAsync(numera.sources(scope))
    yield right('credential', 'It is accepted.')
    const [limit, remaining] = ['limit', 'remaining'].map((name) => headers.get(`ratelimit-${name}`))
    yield right('rate', `${remaining ?? '?'} calls left; ${limit ?? '?'} more a minute`)
    for (const { name, paused } of sources) {
      if (paused) yield wrong('source', `${name} is paused: resume it on the company’s pages.`)
      else yield right('source', `${name} is active.`)
    }
    lookedAt = 'permissions'
    const { sourceId } = sources[0] ?? {}
    const { permissions } = await findPermissions(numera, { ...(sourceId && { sourceId }), ...scope })
    yield right('permissions', permissions.join(', ') || 'none')
    lookedAt = 'file'
    if (options.file !== undefined) yield* lookAtFile(session, options, numera, options.file)
  } catch (error) {
    const failure = toFailure(error)
    if (failure === undefined) throw error
    yield wrong(lookedAt, failure.message.replaceAll('\n', ' '), failure.exitCode)
  }
}

/** Name, connection with TLS, whether it is Numera, and the clock. */
async function* lookAtNetwork({ io }: Session, url: string): AsyncGenerator<Finding> {
  const { hostname, protocol } = new URL(url)
  try {
    const { address } = await lookup(hostname.replace(/^\[|\]$/g, ''))
    yield right('name', `${hostname} is ${address}`)
    const answer = await io.fetch(`${url}/.well-known/oauth-authorization-server`, {
      redirect: 'manual',
      signal: AbortSignal.any([io.signal, AbortSignal.timeout(10_000)]),
    })
    const body = (await answer.json().catch(() => ({}))) as object
    if (answer.status !== 200 || !('issuer' in body)) {
      const says = `Something answers ${answer.status}, and it is not Numera: check the address.`
      return void (yield wrong('connection', says, exitCodes.unreachable))
    }
    yield right(
      'connection',
      `It answers, ${protocol === 'https:' ? 'with a valid certificate' : 'without TLS'}.`,
    )
    const driftMs = io.clock.now() - Date.parse(answer.headers.get('date') ?? '')
    const says = `${Math.round(driftMs / 1000)} s off the service’s`
    if (Math.abs(driftMs) > clockDriftMaxMs)
      yield wrong('clock', `${says}: set it, or signatures are refused.`)
    else yield right('clock', says)
  } catch (error) {
    io.signal.throwIfAborted()
    const { cause = error } = error as Error
    const { code, message } = cause as NodeJS.ErrnoException
    const isName = code === 'ENOTFOUND' || code === 'EAI_AGAIN'
    const advice = isName
      ? 'Is the address right?'
      : 'Is a proxy or firewall in between, or the certificate not trusted?'
    yield wrong(isName ? 'name' : 'connection', `${code ?? message}. ${advice}`, exitCodes.unreachable)
  }
}

async function* lookAtFile(
  session: Session,
  options: DoctorOptions,
  numera: Numera,
  file: string,
): AsyncGenerator<Finding> {
  for await (const report of numera.checkFile(file, await toFileOptions(session, options, file))) {
    const { part, refusal, reason, rowsAccepted, rowsRefused, droppedKeys } = report
    const counts = `part ${part}: ${rowsAccepted ?? 0} rows would count, ${rowsRefused ?? 0} be refused`
    const dropped = droppedKeys.length > 0 && `not declared: ${droppedKeys.join(', ')}`
    const says = [counts, dropped, refusal?.message ?? reason].filter(Boolean).join('; ')
    yield isWhole(report) ? right('file', says) : wrong('file', says, exitCodes.rowsRefused)
  }
}
