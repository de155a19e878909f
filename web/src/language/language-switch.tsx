import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { switchLanguage } from './language.ts'

/** Named in the language that it leads to. */
export const LanguageSwitch = () => {
  const { t, i18n } = useTranslation()
  const other = i18n.language === 'sv' ? 'en' : 'sv'
  return (
    <Button variant="subtle" size="compact-sm" lang={other} onClick={() => switchLanguage(other)}>
      {t('page.otherLanguage')}
    </Button>
  )
}
