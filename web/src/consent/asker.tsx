import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AskingApp } from '../api/document-facts.ts'
import classes from './asker.module.css'

/**
 * Who asks. Anyone can register any name: it is set apart from our sentence, cannot change its direction, and has no
 * colour of ours. The host that the answer goes to stands below it as it is, punycode included.
 *
 * @param children the name in its sentence
 */
export function Asker({ app: { name, host }, children }: { app: AskingApp; children: ReactNode }) {
  const { t } = useTranslation('consent')
  return (
    <>
      <div className={classes.app}>
        <span aria-hidden="true" className={classes.letter}>
          {[...name.trim()][0]?.toUpperCase()}
        </span>
        <div>
          {children}
          <p className={classes.host}>
            {t('goesTo')} <bdi>{host}</bdi>
          </p>
        </div>
      </div>
      <p className="quiet">{t('anyone')}</p>
    </>
  )
}
