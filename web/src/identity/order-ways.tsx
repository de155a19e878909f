import { lazy, type ReactNode, Suspense } from 'react'
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
  /** There is a code behind "another device". */
  hasCode: boolean
  /** The app on this device comes first. */
  isHere: boolean
}

export const nothing: Shown = {
  page: undefined,
  launch: undefined,
  code: undefined,
  hasCode: false,
  isHere: false,
}

/**
 * What of an order is to be shown.
 *
 * @param isHere the person is to use, or uses, the app on this device
 */
export function toShow(
  { open_url, launch_url, qr_text }: NonNullable<Progress['presentation']>,
  isHere: boolean,
): Shown {
  const isCodeHidden = isHere && launch_url !== undefined
  return {
    page: open_url,
    launch: launch_url,
    code: isCodeHidden ? undefined : qr_text,
    hasCode: qr_text !== undefined,
    isHere,
  }
}

/** How the person goes on: to a page, into the app on this device, or by scanning a code with another. */
export function OrderWays({
  shown: { page, launch, code, hasCode, isHere },
  provider,
  isNewTab,
  isOffline,
  onLaunch,
  onOther,
}: {
  shown: Shown
  provider: Provider
  isNewTab: boolean
  isOffline: boolean
  onLaunch: () => void
  onOther: () => void
}) {
  const { t } = useTranslation('identity')
  const { t: base } = useTranslation()
  return (
    <>
      {page !== undefined && (
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
      )}
      {code !== undefined && <Scan code={code} isOffline={isOffline} />}
      {launch !== undefined && (
        <ButtonAnchor
          variant={isHere || !hasCode ? 'primary' : 'secondary'}
          wide
          href={launch}
          // The app is told from which site it was opened.
          referrerPolicy="origin"
          onClick={onLaunch}
        >
          {t('openHere')}
        </ButtonAnchor>
      )}
      {isHere && launch !== undefined && hasCode && (
        <Button variant="quiet" wide onClick={onOther}>
          {t('otherDevice')}
        </Button>
      )}
    </>
  )
}

/** The code and how it is scanned. One that may be old by now is not shown: the app would refuse it. */
function Scan({ code, isOffline }: { code: string; isOffline: boolean }) {
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
      <ol className={classes.steps}>
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
