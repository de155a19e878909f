import { useEffect, useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { isMobile } from './device.ts'
import type { OrderFailure } from './failed-order.tsx'
import type { OrderInHand, Progress, Provider } from './order.ts'
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
  /** Asks the service where the order stands. */
  collect: () => Promise<Collected>
  /** The token of the session that collects, where there is one. */
  session?: string
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

/** An order from its beginning, or from where it is gone on with, to its outcome. */
export function useOrder<Collected extends Progress>({
  order: given,
  provider,
  purpose,
  keepsPage = false,
  collect,
  session,
  onOutcome,
  onFailed,
  onGone,
}: OrderProps<Collected>) {
  const [isLaunched, setLaunched] = useState(given.isLaunched)
  const [isHere, setHere] = useState(() => given.isLaunched || isMobile())
  const [wasPending, setWasPending] = useState(false)
  const order = { ...given, isLaunched }
  const shownOf = (latest: Collected | undefined): Shown =>
    toShow(latest?.presentation ?? given.presentation, isHere)
  const { latest, outcome, isOffline } = useOrderProgress(given.order_id, collect, {
    session,
    showsCode: (latest) => shownOf(latest).code !== undefined,
    isLaunched,
  })
  if (!wasPending && latest?.state === 'pending') setWasPending(true)

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
    const reason = (isError ? outcome.code : outcome.reason) ?? 'ended'
    const isOver =
      isError || overReasons.has(reason) || (!isLaunched && !wasPending && unansweredReasons.has(reason))
    if (given.isResumed && isOver) onGone()
    else onFailed({ reason, isLaunched }, isError ? outcome : undefined)
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
      setHere(true)
      setLaunched(true)
      rememberOrder(purpose, { ...order, isLaunched: true })
    },
    /** The person wants to use another device. */
    onOther: () => setHere(false),
  }
}

function firstHint({ presentation: { launch_url, qr_text } }: OrderInHand): string | undefined {
  return launch_url === undefined && qr_text === undefined ? undefined : 'outstandingTransaction'
}
