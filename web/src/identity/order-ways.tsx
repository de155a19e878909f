import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, ButtonAnchor } from '../ui/button.tsx'
import type { Progress, Provider } from './order.ts'
import classes from './order-ways.module.css'

// Only where there is a code to show.
const QrCode = lazy(() =>
  import('./qr-code.tsx').then(
    ({ QrCode }) => ({ default: QrCode }),
    () => ({ default: NoCode }),
  ),
)

/** What of an order is shown now. */
export interface Shown {
  page: string | undefined
  launch: string | undefined
  code: string | undefined
}

export const nothing: Shown = { page: undefined, launch: undefined, code: undefined }

/** What of an order is to be shown. */
export function toShow({ open_url, launch_url, qr_text }: NonNullable<Progress['presentation']>): Shown {
  return { page: open_url, launch: launch_url, code: qr_text }
}

/** How the person goes on: to a page, into the app on this device, or by scanning a code with another. */
export function OrderWays({
  orderId,
  shown: { page, launch, code },
  provider,
  isNewTab,
  isOffline,
  isChanging,
  onLaunch,
  onChange,
}: {
  orderId: string
  shown: Shown
  provider: Provider
  isNewTab: boolean
  isOffline: boolean
  /** An order for the other device is being begun. */
  isChanging: boolean
  onLaunch: () => void
  /** The person wants to use the other device; absent where this page cannot begin anew. */
  onChange: (() => void) | undefined
}) {
  const { t } = useTranslation('identity')
  const link = useRef<HTMLAnchorElement>(null)
  const steps = useRef<HTMLOListElement>(null)
  const seen = useRef(orderId)
  useEffect(() => {
    if (seen.current === orderId) return
    seen.current = orderId
    // The button that was pressed is gone.
    const next = link.current ?? steps.current
    next?.focus()
  }, [orderId])
  return (
    <>
      {page !== undefined && <OpenPage page={page} provider={provider} isNewTab={isNewTab} />}
      {code !== undefined && <Scan code={code} isOffline={isOffline} steps={steps} />}
      {launch !== undefined && (
        <ButtonAnchor
          variant="primary"
          wide
          ref={link}
          href={launch}
          // The app is told from which site it was opened.
          referrerPolicy="origin"
          onClick={onLaunch}
        >
          {t('openHere')}
        </ButtonAnchor>
      )}
      {onChange !== undefined && (launch !== undefined || code !== undefined) && (
        <Button
          variant={launch === undefined ? 'secondary' : 'quiet'}
          wide
          busy={isChanging}
          onClick={onChange}
        >
          {t(launch === undefined ? 'thisDevice' : 'otherDevice')}
        </Button>
      )}
    </>
  )
}

/** The provider's own page. */
function OpenPage({ page, provider, isNewTab }: { page: string; provider: Provider; isNewTab: boolean }) {
  const { t } = useTranslation('identity')
  const { t: base } = useTranslation()
  return (
    <>
      <ButtonAnchor
        variant="primary"
        wide
        href={page}
        {...(isNewTab && { target: '_blank', rel: 'noreferrer' })}
      >
        {t(provider === 'demo' ? 'demo.open' : 'oidc.open')}
        {isNewTab && <span className="unseen"> {base('ui.newTab')}</span>}
      </ButtonAnchor>
      <p className="quiet">{t(isNewTab ? 'demo.goOn' : 'oidc.goOn')}</p>
    </>
  )
}

/** The code and how it is scanned. One that may be old by now is not shown: the app would refuse it. */
function Scan({
  code,
  isOffline,
  steps,
}: {
  code: string
  isOffline: boolean
  steps: RefObject<HTMLOListElement | null>
}) {
  const { t } = useTranslation('identity')
  return (
    <div className={classes.scan}>
      <div className={classes.code}>
        {isOffline ? (
          <Blank>{t('staleCode')}</Blank>
        ) : (
          <Suspense fallback={<Blank />}>
            <QrCode text={code} name={t('code')} />
          </Suspense>
        )}
      </div>
      <ol ref={steps} tabIndex={-1} aria-label={t('scan.how')} className={classes.steps}>
        <li>{t('scan.start')}</li>
        <li>{t('scan.press')}</li>
        <li>{t('scan.point')}</li>
      </ol>
    </div>
  )
}

/** In the place of the code. */
function Blank({ children }: { children?: ReactNode }) {
  return <p className={classes.blank}>{children}</p>
}

/** The script that draws the code did not arrive. */
function NoCode() {
  const { t } = useTranslation('identity')
  return <Blank>{t('noCode')}</Blank>
}
