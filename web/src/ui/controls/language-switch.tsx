import { useTranslation } from 'react-i18next'
import { switchLanguage } from '../../language/language.ts'
import { Button } from './button.tsx'

export function LanguageSwitch() {
  const { t, i18n } = useTranslation()
  const other = i18n.language === 'sv' ? 'en' : 'sv'
  return (
    <Button variant="quiet" small lang={other} onClick={() => switchLanguage(other)}>
      {t('ui.otherLanguage')}
    </Button>
  )
}
