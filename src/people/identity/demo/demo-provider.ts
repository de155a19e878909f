import { randomBytes } from 'node:crypto'
import type { DirectoryContext } from '../../../context.ts'
import type {
  ElectronicIdentity,
  IdentifiedPerson,
  OrderProgress,
  Presentation,
  SigningProvider,
  SignInProvider,
  StartedOrder,
} from '../identity-provider.ts'
import { answerDemoOrder, insertDemoOrder, selectDemoOrder } from '../queries.ts'
import { sealedDemoOrders } from '../sealed-tables.ts'

/** How long a person has to answer at the demo's identity, in milliseconds. Then it has failed. */
const demoOrderLifetimeMs = 10 * 60_000

type DemoContext = Pick<DirectoryContext, 'pool' | 'clock' | 'keys'>

function toPresentation(reference: string): Presentation {
  return { openUrl: `/demo-identity/orders/${reference}` }
}

function createDemoProvider(context: DemoContext): SignInProvider & SigningProvider {
  const { pool, clock } = context
  const start = async (visibleText: string | null, recordSha256: Buffer | null): Promise<StartedOrder> => {
    const now = clock.now()
    const reference = randomBytes(24).toString('base64url')
    const expiresAt = new Date(now + demoOrderLifetimeMs)
    await insertDemoOrder.run(pool, {
      reference,
      visibleText,
      recordSha256,
      createdAt: new Date(now),
      expiresAt,
    })
    return { reference, presentation: toPresentation(reference) }
  }

  const collect = async (reference: string): Promise<OrderProgress> => {
    const row = await selectDemoOrder.first(pool, { reference })
    if (row === undefined) return { state: 'failed', reason: 'expired' }
    if (row.state === 'refused') return { state: 'failed', reason: 'refused' }
    if (row.state === 'pending') {
      return row.expires_at.getTime() <= clock.now()
        ? { state: 'failed', reason: 'expired' }
        : { state: 'pending', hint: 'outstanding', presentation: toPresentation(reference) }
    }
    const person = JSON.parse(sealedDemoOrders.unseal(context, row, row.person_sealed!)) as IdentifiedPerson
    const evidence = JSON.stringify({
      demo: true,
      warning: 'The identity of this person was not checked.',
      reference,
      person,
      visible_text: row.visible_text,
      record_sha256: row.record_sha256?.toString('hex') ?? null,
    })
    return { state: 'complete', person, evidence }
  }

  return {
    name: 'demo',
    startSignIn: async () => start(null, null),
    startSigning: async ({ visibleText, recordSha256 }) => start(visibleText, Buffer.from(recordSha256)),
    collect,
    cancel: async (reference) => void (await answerDemoIdentity(context, reference, undefined)),
  }
}

/**
 * The demo's electronic identity: anyone who opens an order's page answers it, as anyone they claim to be. Its orders are in the
 * database, so that any process of the deployment finds them.
 */
export function openDemoIdentity(context: DemoContext): ElectronicIdentity {
  const provider = createDemoProvider(context)
  return { demo: true, signIn: provider, signing: provider, [Symbol.asyncDispose]: async () => {} }
}

/** An order that waits for its answer, for the demo's page; undefined if there is none. */
export async function findOpenDemoOrder(
  { pool, clock }: DemoContext,
  reference: string,
): Promise<{ visibleText: string | null } | undefined> {
  const row = await selectDemoOrder.first(pool, { reference })
  const isOpen = row?.state === 'pending' && row.expires_at.getTime() > clock.now()
  return isOpen ? { visibleText: row.visible_text } : undefined
}

/**
 * Answers an order as the person at the demo's page. Only the first answer counts.
 *
 * @param person who approves, or undefined for a refusal
 * @returns false if no open order has that reference
 */
export async function answerDemoIdentity(
  context: DemoContext,
  reference: string,
  person: IdentifiedPerson | undefined,
): Promise<boolean> {
  const row = await answerDemoOrder.first(context.pool, {
    reference,
    state: person ? 'approved' : 'refused',
    personSealed: person ? sealedDemoOrders.seal(context, { reference }, JSON.stringify(person)) : null,
    at: new Date(context.clock.now()),
  })
  return row !== undefined
}
