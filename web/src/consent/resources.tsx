import { useTranslation } from 'react-i18next'
import { Section } from '../ui/layout/section.tsx'
import classes from './resources.module.css'

/** Other servers that the app's tokens are for too. They cannot be left out. */
export function Resources({ resources }: { resources: string[] }) {
  const { t } = useTranslation('consent')
  return (
    <Section title={t('resources')}>
      <ul className={classes.list}>
        {resources.map((resource) => (
          <li key={resource}>
            <bdi>{resource}</bdi>
          </li>
        ))}
      </ul>
      <p className="quiet">{t('resourcesWhy')}</p>
    </Section>
  )
}
