import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import type { Company } from '../company/company.ts'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { controlKey } from '../ui/display/control-key.ts'
import { sectionsFor } from './sections.ts'
import classes from './keys-dialog.module.css'

/** The pages' own keyboard shortcuts. */
export function KeysDialog({ company, onClose }: { company: Company | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('keys.title')} onClose={onClose}>
      <dl className={classes.keys}>
        <dt>
          <kbd>{controlKey}</kbd> <kbd>K</kbd>
        </dt>
        <dd>{t('keys.search')}</dd>
        {company !== undefined &&
          sectionsFor(company.role).map(({ name, letter }) => (
            <Fragment key={name}>
              <dt>
                <kbd>g</kbd> <kbd>{letter}</kbd>
              </dt>
              <dd>{t(`frame.${name}`)}</dd>
            </Fragment>
          ))}
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
