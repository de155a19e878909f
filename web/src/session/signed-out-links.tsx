import { useTranslation } from 'react-i18next'
import { isDemo } from '../api/document-facts.ts'
import { documentationIn } from '../ui/documentation.ts'
import classes from './signed-out-links.module.css'

/** For visitors: the documentation, and how to try Numera. */
export function SignedOutLinks() {
  const { t, i18n } = useTranslation()
  const documentation = documentationIn(i18n.language)
  return (
    <p className={classes.links}>
      <a href={documentation}>{t('frame.documentation')}</a>
      <a href={`${documentation}/start-here`}>{t(isDemo() ? 'welcome.firstNumber' : 'welcome.tryDemo')}</a>
    </p>
  )
}
