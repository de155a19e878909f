import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Check } from '../ui/controls/check.tsx'
import { SecretField } from '../ui/display/copy.tsx'
import { useLeaveGuard } from '../ui/overlays/unsaved-guard.tsx'

/**
 * A signing secret that is shown once, with a box to confirm that it is stored; asks before it is left without that.
 *
 * @param children renders around it, knowing whether it is stored
 */
export function SecretOnce({
  secret,
  children,
}: {
  secret: string
  children: (shown: ReactNode, isStored: boolean) => ReactNode
}) {
  const { t } = useTranslation('sources')
  const [isStored, setIsStored] = useState(false)
  const question = useLeaveGuard(!isStored, { title: t('secrets.leaveTitle'), text: t('secrets.leaveText') })
  const shown = (
    <>
      <p>{t('secrets.shownText')}</p>
      <SecretField label={t('secrets.secret')} value={secret} hint={t('secrets.shownHint')} />
      <Check label={t('secrets.kept')} checked={isStored} onChange={setIsStored} />
      {question}
    </>
  )
  return children(shown, isStored)
}
