import { randomBytes } from 'node:crypto'
import type { Context } from '../../service/context.ts'
import { seal, unseal } from '../../keys/seal.ts'
import type {
  IdentifiedPerson,
  OrderProgress,
  Presentation,
  SigningProvider,
  SignInProvider,
  StartedOrder,
} from '../identity-provider.ts'
import { answerDemoOrder, insertDemoOrder, selectDemoOrder } from '../queries.ts'

/** How long a person has to answer at the demo's identity, in milliseconds. Then it has failed. */
export const demoOrderLifetimeMs = 10 * 60_000

export type DemoContext = Pick<Context, 'pool' | 'clock' | 'keys'>

function presentationOf(reference: string): Presentation {
  return {
    openUrl: `/demo-identity/orders/${reference}`,
  }
}

/** The place that the answer to an order is sealed for. */
export function demoOrderPlace(reference: string): string {
  return `demo_identity_order:${reference}`
}

/**
 * The demo's electronic identity: anyone who opens an order's page answers it, as anyone they claim to be. It stores
 * its orders in the database, so that any process of the deployment knows them.
 */
export function createDemoProvider(context: DemoContext): SignInProvider & SigningProvider {
  const start = async (signing?: {
    visibleText: string
    recordSha256: Uint8Array
  }): Promise<StartedOrder> => {
    const now = context.clock.now()
    const reference = randomBytes(24).toString('base64url')
    await insertDemoOrder.run(context.pool, {
      reference,
      visibleText: signing?.visibleText ?? null,
      recordSha256: signing === undefined ? null : Buffer.from(signing.recordSha256),
      createdAt: new Date(now),
      expiresAt: new Date(now + demoOrderLifetimeMs),
    })
    return { reference, presentation: presentationOf(reference) }
  }

  const collect = async (reference: string): Promise<OrderProgress> => {
    const row = await selectDemoOrder.first(context.pool, { reference })
    if (row === undefined) return { state: 'failed', reason: 'expired' }
    if (row.state === 'refused') return { state: 'failed', reason: 'refused' }
    if (row.state === 'pending') {
      return row.expires_at.getTime() <= context.clock.now()
        ? { state: 'failed', reason: 'expired' }
        : { state: 'pending', hint: 'outstanding', presentation: presentationOf(reference) }
    }
    const sealed = row.person_sealed!
    const person = JSON.parse(
      unseal(context.keys.master, sealed, demoOrderPlace(reference)).toString(),
    ) as IdentifiedPerson
    const evidence = JSON.stringify({
      demo: true,
      warning: 'Nobody checked who this is.',
      reference,
      person,
      visible_text: row.visible_text,
      record_sha256: row.record_sha256?.toString('hex') ?? null,
    })
    return { state: 'complete', person, evidence }
  }

  return {
    name: 'demo',
    startSignIn: async () => start(),
    startSigning: async ({ visibleText, recordSha256 }) => start({ visibleText, recordSha256 }),
    collect,
    cancel: async (reference) => {
      await answerDemoOrder.run(context.pool, {
        reference,
        state: 'refused',
        personSealed: null,
        at: new Date(context.clock.now()),
      })
    },
  }
}

/** What the demo's page shows of an order, or undefined where there is none. */
export async function findDemoOrder(
  context: DemoContext,
  reference: string,
): Promise<{ purpose: 'sign_in' | 'sign'; visibleText: string | null; open: boolean } | undefined> {
  const row = await selectDemoOrder.first(context.pool, { reference })
  if (row === undefined) return undefined
  return {
    purpose: row.record_sha256 === null ? 'sign_in' : 'sign',
    visibleText: row.visible_text,
    open: row.state === 'pending' && row.expires_at.getTime() > context.clock.now(),
  }
}

/**
 * Answers an order as the person at the demo's page. The first answer stands.
 *
 * @param answer who approves (twelve digits), or undefined for a refusal
 * @returns false where there is no open order of that reference
 */
export async function answerDemoIdentity(
  context: DemoContext,
  reference: string,
  answer: IdentifiedPerson | undefined,
): Promise<boolean> {
  const sealed =
    answer === undefined ? null : seal(context.keys.master, JSON.stringify(answer), demoOrderPlace(reference))
  const state = answer === undefined ? 'refused' : 'approved'
  const row = await answerDemoOrder.first(context.pool, {
    reference,
    state,
    personSealed: sealed,
    at: new Date(context.clock.now()),
  })
  return row !== undefined
}
