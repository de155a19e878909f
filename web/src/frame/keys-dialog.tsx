import { useTranslation } from 'react-i18next'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { controlKey } from '../ui/display/control-key.ts'
import classes from './keys-dialog.module.css'

/** The pages' own keyboard shortcuts. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('keys.title')} onClose={onClose}>
      <dl className={classes.keys}>
        <dt>
          <kbd>{controlKey}</kbd> <kbd>K</kbd>
        </dt>
        <dd>{t('keys.search')}</dd>
        <dt>
          <kbd>Esc</kbd>
        </dt>
        <dd>{t('keys.close')}</dd>
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>{t('keys.help')}</dd>
      </dl>
    </Dialog>
  )
}
