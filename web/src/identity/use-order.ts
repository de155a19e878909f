import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import type { OrderFailure } from './failed-order.tsx'
import type { Device, PageOrder, Presentation, Progress, Provider } from './order.ts'
import { removeRememberedOrder, type Purpose, rememberOrder } from './remembered-order.ts'
import { useOrderProgress } from './use-order-progress.ts'

export interface OrderProps<Collected extends Progress> {
  order: PageOrder
  provider: Provider
  /** The order is remembered for it until it has an outcome. */
  purpose: Purpose
  /** The page must stay open: the provider's page opens in another tab. */
  keepsPage?: boolean
  /** Polls the service. */
  collect: (signal: AbortSignal) => Promise<Collected>
  /** The token of the session that collects. */
  session?: string
  /** Cancels the order at the provider. */
  cancel: () => Promise<unknown>
  /** Starts another order in its place, for another device; absent where this page cannot. */
  onBegin?: ((device: Device) => void) | undefined
  /** Called once, with the person's answer. */
  onOutcome: (outcome: Collected) => void
  /** Called once, when it failed or the service refuses to say more about it. */
  onFailed: (failure: OrderFailure, error: ApiError | undefined) => void
  /** Called once, when a continued order is over, or another person's. */
  onGone: () => void
}

/** Reasons for which a page stops continuing an order without showing a failure. */
const overReasons = new Set(['ended', 'used', 'expired'])
/** The same, unless the person opened the app or the page saw the order pending: no one has scanned its code. */
const unansweredReasons = new Set(['startFailed', 'expiredTransaction'])

function isOverByNow(provider: Provider, reason: string, wasSeen: boolean): boolean {
  // The person has just answered at the provider, which has ended that sign-in, so the page must say so.
  if (provider === 'oidc' && reason === 'ended') return false
  return overReasons.has(reason) || (!wasSeen && unansweredReasons.has(reason))
}

/** An order from its start, or from where this page continues it, to its outcome. */
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
  const { order_id, device, isResumed } = given
  // The ids of the orders that these apply to, since another one may take this one's place.
  const [launched, setLaunched] = useState(given.isLaunched ? order_id : undefined)
  const [pending, setPending] = useState<string>()
  const isLaunched = launched === order_id
  const change = useChange({ order: given, purpose, collect, cancel, onBegin })
  const order = { ...given, isLaunched }
  const toPresentation = (latest: Collected | undefined): Presentation =>
    latest?.presentation ?? given.presentation
  const { latest, isOffline, ...progress } = useOrderProgress(order_id, change.collect, {
    session,
    showsCode: (latest) => toPresentation(latest).qr_text !== undefined,
    isPaused: change.isChanging,
    isLaunched: device === 'this' && isLaunched,
  })
  // While another order is being started, the end of this one means nothing.
  const outcome = change.isChanging && !isAnswered(progress.outcome) ? undefined : progress.outcome
  if (pending !== order_id && latest?.state === 'pending') setPending(order_id)

  useEffect(() => {
    if (isResumed) return
    rememberOrder(purpose, given)
    const { open_url } = given.presentation
    if (provider === 'oidc' && !keepsPage && open_url !== undefined) location.assign(open_url)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each order
  }, [order_id])

  useEffect(() => {
    if (outcome === undefined) return
    removeRememberedOrder(purpose, given)
    const isError = outcome instanceof ApiError
    if (!isError && outcome.state !== 'failed') return onOutcome(outcome)
    const code = (isError ? outcome.code : outcome.reason) ?? 'ended'
    // If no one tried to open the app, it may well be installed.
    const reason = code === 'startFailed' && device === 'this' && !isLaunched ? 'expired' : code
    const isOver = isError || isOverByNow(provider, code, isLaunched || pending === order_id)
    if (isResumed && isOver) onGone()
    else onFailed({ reason, device }, isError ? outcome : undefined)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each outcome, however often the parent renders
  }, [outcome])

  return {
    order,
    /** Before the first poll, what the order was created with. */
    hint: latest?.hint ?? firstHint(given),
    presentation: outcome === undefined ? toPresentation(latest) : {},
    isOver: outcome !== undefined,
    isOffline,
    /** The person opens the app on this device. */
    onLaunch: () => {
      setLaunched(order_id)
      rememberOrder(purpose, { ...order, isLaunched: true })
    },
    isChanging: change.isChanging,
    onChange: change.onChange,
  }
}

/** Replaces an order with one for the other device. */
function useChange<Collected extends Progress>({
  order,
  purpose,
  collect,
  cancel,
  onBegin,
}: Pick<OrderProps<Collected>, 'order' | 'purpose' | 'collect' | 'cancel' | 'onBegin'>) {
  const [changing, setChanging] = useState<string>()
  const lastPoll = useRef<Promise<Collected>>(undefined)

  async function change(begin: (device: Device) => void): Promise<void> {
    setChanging(order.order_id)
    removeRememberedOrder(purpose, order)
    // A browser has one sign-in at a time, and BankID one signature of a person. It may already be over.
    await cancel().catch(() => undefined)
    // The person may have answered meanwhile.
    if (isAnswered(await lastPoll.current?.catch(() => undefined))) return
    begin(order.device === 'this' ? 'other' : 'this')
  }

  return {
    isChanging: changing === order.order_id,
    collect: (signal: AbortSignal) => (lastPoll.current = collect(signal)),
    onChange: onBegin && (() => void change(onBegin)),
  }
}

function isAnswered(outcome: Progress | ApiError | undefined): boolean {
  if (outcome === undefined || outcome instanceof ApiError) return false
  return outcome.state !== 'pending' && outcome.state !== 'failed'
}

function firstHint({ presentation: { launch_url, qr_text } }: PageOrder): string | undefined {
  return launch_url === undefined && qr_text === undefined ? undefined : 'outstandingTransaction'
}
