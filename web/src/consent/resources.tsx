import { useTranslation } from 'react-i18next'
import { Section } from '../ui/section.tsx'
import classes from './resources.module.css'

/** Other servers that the app's tokens are for as well: they are shown and cannot be left out. */
export function Resources({ resources }: { resources: string[] }) {
  const { t } = useTranslation('consent')
  return (
    <Section>
      <h2>{t('resources')}</h2>
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
