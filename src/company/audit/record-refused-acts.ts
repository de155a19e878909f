import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DirectoryContext } from '../../context.ts'
import type { App } from '../../platform/http/contract.ts'
import type { Session } from '../../people/sessions/session.ts'
import { selectOpenedCompany } from './queries.ts'
import { recordAuditEvent } from './record-audit-event.ts'

/** For how long equal acts are gathered before they are recorded, in milliseconds. */
const gatheredMsDefault = 1_000

/** Different acts of one member that are gathered at a time; further ones are only in the log. */
const gatheredByMemberMax = 20

/** The same of all members of one process. */
const gatheredMax = 1_000

interface RefusedAct {
  companyId: string
  memberId: string
  /** As the API document names it. */
  operation: string
}

type Gathered = RefusedAct & { count: number; firstAtMs: number; lastAtMs: number }

/**
 * Records what signed-in members were refused because they may not do it (403), in the audit of the company that they tried it
 * in. Equal acts are counted: a member who repeats one a thousand times a second writes one row a second, and has one entry. To be
 * called once, on the root instance.
 */
export function recordRefusedActs(
  app: App,
  context: Pick<DirectoryContext, 'pool' | 'clock' | 'log'>,
  everyMs = gatheredMsDefault,
): void {
  const acts = new RefusedActs(context, everyMs)
  app.addHook('onResponse', (request, reply, done) => {
    const act = toRefusedAct(request, reply)
    if (act !== undefined) acts.add(act)
    done()
  })
  app.addHook('onClose', () => acts[Symbol.asyncDispose]())
}

/** Forged requests are refused earlier, before it is known whose share of the connections the call uses. */
function toRefusedAct(request: FastifyRequest, reply: FastifyReply): RefusedAct | undefined {
  if (reply.statusCode !== 403 || request.errorCode !== 'permission_denied') return undefined
  const session = request.session as Session | undefined
  const { company_id: given } = request.params as { company_id?: string }
  const companyId = given?.toLowerCase()
  const operation = request.routeOptions.config.contract?.operationId
  if (session === undefined || companyId === undefined || operation === undefined) return undefined
  return request.caller === `company ${companyId}`
    ? { companyId, memberId: session.memberId, operation }
    : undefined
}

class RefusedActs implements AsyncDisposable {
  readonly #context: Pick<DirectoryContext, 'pool' | 'clock' | 'log'>
  readonly #everyMs: number
  #gathered = new Map<string, Gathered>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(context: Pick<DirectoryContext, 'pool' | 'clock' | 'log'>, everyMs: number) {
    this.#context = context
    this.#everyMs = everyMs
  }

  add(act: RefusedAct): void {
    const key = `${act.memberId} ${act.companyId} ${act.operation}`
    const lastAtMs = this.#context.clock.now()
    const equal = this.#gathered.get(key)
    if (equal !== undefined) {
      equal.count++
      equal.lastAtMs = lastAtMs
      return
    }
    if (this.#gathered.size >= gatheredMax) return
    const own = this.#gathered.values().filter(({ memberId }) => memberId === act.memberId)
    if (own.take(gatheredByMemberMax).toArray().length === gatheredByMemberMax) return
    this.#gathered.set(key, { ...act, count: 1, firstAtMs: lastAtMs, lastAtMs })
    this.#timer ??= setTimeout(() => this.#flush(), this.#everyMs).unref()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#flush()
    await this.#writing
  }

  /** One batch at a time, so that a slow database is not sent more. */
  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const gathered = this.#gathered
    this.#gathered = new Map()
    this.#writing = this.#writing.then(() => this.#write(gathered))
  }

  async #write(gathered: ReadonlyMap<string, Gathered>): Promise<void> {
    try {
      for (const act of gathered.values()) await this.#record(act)
    } catch (err) {
      this.#context.log.warn({ err }, 'refused acts of members could not be recorded')
    }
  }

  /** Nothing is recorded of a member who has not opened the company: its owners must not learn their name by it. */
  async #record({ companyId, memberId, operation, count, firstAtMs, lastAtMs }: Gathered): Promise<void> {
    const { pool } = this.#context
    const company = await selectOpenedCompany.first(pool, { companyId, memberId })
    if (company === undefined) return
    await recordAuditEvent(pool, {
      companyId,
      actor: { memberId },
      action: 'act_refused',
      subject: { kind: 'company', id: companyId, name: company.name },
      details: { operation },
      atMs: lastAtMs,
      gathered: { count, firstAtMs },
    })
  }
}
