import { useTranslation } from 'react-i18next'
import { Dialog } from '../ui/dialog.tsx'
import { controlKey, Key } from '../ui/keys.tsx'
import classes from './keys-dialog.module.css'

/** The keys of the pages, beside those that every page of a browser has. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('keys.title')} onClose={onClose}>
      <dl className={classes.keys}>
        <dt>
          <Key>{controlKey}</Key> <Key>K</Key>
        </dt>
        <dd>{t('keys.search')}</dd>
        <dt>
          <Key>Esc</Key>
        </dt>
        <dd>{t('keys.close')}</dd>
        <dt>
          <Key>?</Key>
        </dt>
        <dd>{t('keys.help')}</dd>
      </dl>
    </Dialog>
  )
}
