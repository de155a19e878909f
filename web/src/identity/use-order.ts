import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import type { OrderFailure } from './failed-order.tsx'
import type { Device, OrderInHand, Progress, Provider } from './order.ts'
import { nothing, type Shown, toShow } from './order-ways.tsx'
import { forgetOrder, type Purpose, rememberOrder } from './remembered-order.ts'
import { useOrderProgress } from './use-order-progress.ts'

export interface OrderProps<Collected extends Progress> {
  order: OrderInHand
  /** Whose order it is. */
  provider: Provider
  /** What it is for: under that it is remembered until it has an outcome. */
  purpose: Purpose
  /** The page must stay as it is: another one is opened in a tab of its own. */
  keepsPage?: boolean
  /** Asks the service where the order stands, until the signal. */
  collect: (signal: AbortSignal) => Promise<Collected>
  /** The token of the session that collects, where there is one. */
  session?: string
  /** Ends the order at the provider. */
  cancel: () => Promise<unknown>
  /** Begins another one in its place, for another device; absent where this page cannot. */
  onBegin?: ((device: Device) => void) | undefined
  /** Called once: it is answered. */
  onOutcome: (outcome: Collected) => void
  /** Called once: it came to nothing, or the service refuses to say more about it. */
  onFailed: (failure: OrderFailure, error: ApiError | undefined) => void
  /** Called once: it was begun before, and is over by now or another person's. */
  onGone: () => void
}

/** Where a page finds an order over that it wanted to go on with. */
const overReasons = new Set(['ended', 'used', 'expired'])
/** The same, unless the person comes from the app or saw it pending: nobody has scanned its code. */
const unansweredReasons = new Set(['startFailed', 'expiredTransaction'])

/** Whether an order is over that a page wanted to go on with; @param wasSeen the person comes from the app or saw it pending */
function isOverByNow(provider: Provider, reason: string, wasSeen: boolean): boolean {
  // Whoever comes back from the provider has just answered, and the provider has ended that sign-in: they are told.
  if (provider === 'oidc' && reason === 'ended') return false
  return overReasons.has(reason) || (!wasSeen && unansweredReasons.has(reason))
}

/** An order from its beginning, or from where it is gone on with, to its outcome. */
export function useOrder<Collected extends Progress>({
  order: given,
  provider,
  purpose,
  keepsPage = false,
  collect,
  session,
  cancel,
  onBegin,
  onOutcome,
  onFailed,
  onGone,
}: OrderProps<Collected>) {
  const { order_id } = given
  // Of which order each is true: another one may take its place.
  const [launched, setLaunched] = useState(given.isLaunched ? order_id : undefined)
  const [pending, setPending] = useState<string>()
  const isLaunched = launched === order_id
  const { isChanging, ask, change } = useChange({ order: given, purpose, collect, cancel, onBegin })
  const order = { ...given, isLaunched }
  const shownOf = (latest: Collected | undefined): Shown => toShow(latest?.presentation ?? given.presentation)
  const { latest, isOffline, ...progress } = useOrderProgress(order_id, ask, {
    session,
    showsCode: (latest) => shownOf(latest).code !== undefined,
    isPaused: isChanging,
    isLaunched: given.device === 'this' && isLaunched,
  })
  // That it is over is no news while another one is being begun.
  const outcome = isChanging && !isAnswered(progress.outcome) ? undefined : progress.outcome
  if (pending !== order_id && latest?.state === 'pending') setPending(order_id)

  useEffect(() => {
    if (given.isResumed) return
    rememberOrder(purpose, given)
    const { open_url } = given.presentation
    if (provider === 'oidc' && !keepsPage && open_url !== undefined) location.assign(open_url)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each order
  }, [given.order_id])

  useEffect(() => {
    if (outcome === undefined) return
    forgetOrder(purpose, given)
    const isError = outcome instanceof ApiError
    if (!isError && outcome.state !== 'failed') return onOutcome(outcome)
    const said = (isError ? outcome.code : outcome.reason) ?? 'ended'
    // Where nobody tried to open it, the app may well be there.
    const reason = said === 'startFailed' && given.device === 'this' && !isLaunched ? 'expired' : said
    const isOver = isError || isOverByNow(provider, said, isLaunched || pending === order_id)
    if (given.isResumed && isOver) onGone()
    else onFailed({ reason, device: given.device }, isError ? outcome : undefined)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each outcome, however often the parent renders
  }, [outcome])

  return {
    order,
    /** What is waited for; before the service has said it, what there is to scan or to open. */
    hint: latest?.hint ?? firstHint(given),
    shown: outcome === undefined ? shownOf(latest) : nothing,
    isOver: outcome !== undefined,
    isOffline,
    /** The person opens the app on this device. */
    onLaunch: () => {
      setLaunched(order_id)
      rememberOrder(purpose, { ...order, isLaunched: true })
    },
    isChanging,
    onChange: change,
  }
}

/** The way from this order to one for the other device. */
function useChange<Collected extends Progress>({
  order,
  purpose,
  collect,
  cancel,
  onBegin,
}: Pick<OrderProps<Collected>, 'order' | 'purpose' | 'collect' | 'cancel' | 'onBegin'>) {
  const [changing, setChanging] = useState<string>()
  const asked = useRef<Promise<Collected>>(undefined)

  async function change(begin: (device: Device) => void): Promise<void> {
    setChanging(order.order_id)
    forgetOrder(purpose, order)
    // First: a browser has one sign-in at a time, and BankID one signature of a person. It may be over already.
    await cancel().catch(() => undefined)
    // It was answered meanwhile: then there is nothing to begin.
    if (isAnswered(await asked.current?.catch(() => undefined))) return
    begin(order.device === 'this' ? 'other' : 'this')
  }

  return {
    /** An order for the other device is being begun. */
    isChanging: changing === order.order_id,
    /** Collects, such that an answer that is on its way is waited for. */
    ask: (signal: AbortSignal) => (asked.current = collect(signal)),
    /** The person wants to use the other device. */
    change: onBegin && (() => void change(onBegin)),
  }
}

function isAnswered(outcome: Progress | ApiError | undefined): boolean {
  if (outcome === undefined || outcome instanceof ApiError) return false
  return outcome.state !== 'pending' && outcome.state !== 'failed'
}

function firstHint({ presentation: { launch_url, qr_text } }: OrderInHand): string | undefined {
  return launch_url === undefined && qr_text === undefined ? undefined : 'outstandingTransaction'
}
