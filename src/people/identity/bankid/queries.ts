import { defineStatement } from '../../../platform/database/define-statement.ts'

/**
 * All instants are by the database's clock, or what the caller computed from it. Statements that write use the time at which they
 * arrived, since Citus evaluates no other one there. Of two that want the same turn the second waits for the first, and then
 * compares with a time that is too early: it may only find that BankID must not be called yet.
 */

/** The hint of a sign-in that is complete at BankID, and counts only if the nonce returns to its page before it expires. */
export const awaitsReturn = 'awaitsReturn'

export interface BankIdOrderRow {
  state: 'pending' | 'complete' | 'failed'
  /** BankID's hint while it is pending, then how it ended: `complete` or `awaitsReturn` if complete. */
  hint: string
  content_sealed: Buffer | null
  /** Whole seconds since BankID answered with the present order. */
  seconds: number
  /** Whole milliseconds since the first order was begun. */
  age_ms: number
  /** Whether BankID may be called now. */
  is_due: boolean
  is_over: boolean
}

const shown = `state, hint, content_sealed,
  greatest(0, floor(extract(epoch from clock_timestamp() - started_at)))::integer as seconds,
  floor(extract(epoch from clock_timestamp() - created_at) * 1000)::double precision as age_ms,
  state = 'pending' and next_collect_at <= clock_timestamp() as is_due,
  expires_at <= clock_timestamp() as is_over`

export const insertBankIdOrder = defineStatement<
  never,
  {
    reference: string
    state: BankIdOrderRow['state']
    hint: string
    contentSealed: Buffer | null
    /** When BankID answered, which may be earlier than when the statement runs. */
    startedAt: Date
    collectInMs: number
    lifetimeMs: number
  }
>(
  'identity.insert-bankid-order',
  `insert into bankid_orders
     (reference, state, hint, content_sealed, started_at, next_collect_at, collect_count, created_at, expires_at)
   values ($reference::text, $state::text, $hint::text, $contentSealed::bytea, $startedAt::timestamptz,
     statement_timestamp() + $collectInMs::integer * interval '1 millisecond', 0, statement_timestamp(),
     statement_timestamp() + $lifetimeMs::integer * interval '1 millisecond')`,
)

export const selectBankIdOrder = defineStatement<BankIdOrderRow, { reference: string }>(
  'identity.select-bankid-order',
  `select ${shown} from bankid_orders where reference = $reference::text`,
)

/** Claims the turn to call BankID, until it is given back or its lease ends. No row if another process has it. */
export const claimBankIdOrder = defineStatement<
  Pick<BankIdOrderRow, 'hint' | 'content_sealed'> & {
    collect_count: number
    started_at: Date
    created_at: Date
    /** When the lease ends. */
    next_collect_at: Date
  },
  { reference: string; leaseMs: number }
>(
  'identity.claim-bankid-order',
  `update bankid_orders
   set collect_count = collect_count + 1,
     next_collect_at = statement_timestamp() + $leaseMs::integer * interval '1 millisecond'
   where reference = $reference::text and state = 'pending' and next_collect_at <= statement_timestamp()
     and expires_at > statement_timestamp()
   returning hint, content_sealed, collect_count, started_at, created_at, next_collect_at`,
)

/** Stores BankID's hint (null: the same as before), if the turn is still the caller's. */
export const updateBankIdHint = defineStatement<
  never,
  { reference: string; collectCount: number; hint: string | null; collectInMs: number }
>(
  'identity.update-bankid-hint',
  `update bankid_orders
   set hint = coalesce($hint::text, hint),
     next_collect_at = statement_timestamp() + $collectInMs::integer * interval '1 millisecond'
   where reference = $reference::text and state = 'pending' and collect_count = $collectCount::integer`,
)

/** Another order at BankID in place of the previous one. No row if the turn is no longer the caller's. */
export const renewBankIdOrder = defineStatement<
  { reference: string },
  {
    reference: string
    collectCount: number
    hint: string
    contentSealed: Buffer
    /** As `insertBankIdOrder`. */
    startedAt: Date
    collectInMs: number
  }
>(
  'identity.renew-bankid-order',
  `update bankid_orders
   set hint = $hint::text, content_sealed = $contentSealed::bytea, started_at = $startedAt::timestamptz,
     next_collect_at = statement_timestamp() + $collectInMs::integer * interval '1 millisecond'
   where reference = $reference::text and state = 'pending' and collect_count = $collectCount::integer
   returning reference`,
)

/** How it ended. No row if the turn is no longer the caller's. @throws a unique violation if the signature is another order's */
export const settleBankIdOrder = defineStatement<
  { reference: string },
  {
    reference: string
    collectCount: number
    state: 'complete' | 'failed'
    hint: string
    contentSealed: Buffer | null
    signatureSha256: Buffer | null
    keptMs: number
  }
>(
  'identity.settle-bankid-order',
  `update bankid_orders
   set state = $state::text, hint = $hint::text, content_sealed = $contentSealed::bytea,
     signature_sha256 = $signatureSha256::bytea,
     expires_at = statement_timestamp() + $keptMs::integer * interval '1 millisecond'
   where reference = $reference::text and state = 'pending' and collect_count = $collectCount::integer
   returning reference`,
)

/** The nonce has returned. No row if it is decided already, or too late. */
export const completeAwaitedBankIdOrder = defineStatement<
  { reference: string },
  { reference: string; keptMs: number }
>(
  'identity.complete-awaited-bankid-order',
  `update bankid_orders
   set hint = 'complete', expires_at = statement_timestamp() + $keptMs::integer * interval '1 millisecond'
   where reference = $reference::text and state = 'complete' and hint = '${awaitsReturn}'
     and expires_at > statement_timestamp()
   returning reference`,
)

/** The nonce did not return in time. No row if it is decided already, or too early. */
export const failAwaitedBankIdOrder = defineStatement<
  { reference: string },
  { reference: string; hint: string; keptMs: number }
>(
  'identity.fail-awaited-bankid-order',
  `update bankid_orders
   set state = 'failed', hint = $hint::text, content_sealed = null,
     expires_at = statement_timestamp() + $keptMs::integer * interval '1 millisecond'
   where reference = $reference::text and state = 'complete' and hint = '${awaitsReturn}'
     and expires_at <= statement_timestamp()
   returning reference`,
)

/** Ends a pending order for the person; gives its content. */
export const cancelBankIdOrder = defineStatement<
  { content_sealed: Buffer; hint: string },
  { reference: string; hint: string }
>(
  'identity.cancel-bankid-order',
  `with pending as (
     select reference, content_sealed, hint from bankid_orders
     where reference = $reference::text and state = 'pending'
     for update
   )
   update bankid_orders set state = 'failed', hint = $hint::text, content_sealed = null
   from pending
   where bankid_orders.reference = pending.reference
   returning pending.content_sealed, pending.hint`,
)
