import { lazy, type ReactNode, type Ref, Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, ButtonAnchor } from '../ui/controls/button.tsx'
import type { Presentation, Provider } from './order.ts'
import classes from './order-methods.module.css'

// Loaded only where there is a code to show.
const QrCode = lazy(() =>
  import('./qr-code.tsx').then(
    ({ QrCode }) => ({ default: QrCode }),
    () => ({ default: NoCode }),
  ),
)

/**
 * How the person continues: on a page, in the app on this device, or by scanning a code with another device.
 *
 * @param props.isChanging an order for the other device is being started
 * @param props.onChange the person wants to use the other device; absent where this page cannot start an order
 */
export function OrderMethods({
  orderId,
  presentation: { open_url: page, launch_url: launch, qr_text: code },
  provider,
  isNewTab,
  isOffline,
  isChanging,
  onLaunch,
  onChange,
}: {
  orderId: string
  presentation: Presentation
  provider: Provider
  isNewTab: boolean
  isOffline: boolean
  isChanging: boolean
  onLaunch: () => void
  onChange: (() => void) | undefined
}) {
  const { t } = useTranslation('identity')
  const link = useRef<HTMLAnchorElement>(null)
  const steps = useRef<HTMLOListElement>(null)
  const lastOrder = useRef(orderId)
  useEffect(() => {
    if (lastOrder.current === orderId) return
    lastOrder.current = orderId
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
          // The app shows which site opened it.
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
  const { t } = useTranslation(['identity', 'translation'])
  return (
    <>
      <ButtonAnchor
        variant="primary"
        wide
        href={page}
        {...(isNewTab && { target: '_blank', rel: 'noreferrer' })}
      >
        {t(provider === 'demo' ? 'demo.open' : 'oidc.open')}
        {isNewTab && <span className="unseen"> {t('translation:ui.newTab')}</span>}
      </ButtonAnchor>
      <p className="quiet">{t(isNewTab ? 'demo.continue' : 'oidc.continue')}</p>
    </>
  )
}

/** The code and how to scan it. A code that may be outdated is not shown, since the app would reject it. */
function Scan({
  code,
  isOffline,
  steps,
}: {
  code: string
  isOffline: boolean
  steps: Ref<HTMLOListElement>
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
      <ol ref={steps} tabIndex={-1} aria-label={t('scan.how')}>
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

/** The script that draws the code could not be loaded. */
function NoCode() {
  const { t } = useTranslation('identity')
  return <Blank>{t('noCode')}</Blank>
}
