import { useTranslation } from 'react-i18next'
import { isolate } from '../language/isolate.ts'
import { Section } from '../ui/layout/section.tsx'
import type { ConsentRequest } from './choice.ts'
import classes from './current-access.module.css'

/** What the app may already read, collapsed since it is not signed now. */
export function CurrentAccess({
  request: { permissions, companies, resources },
}: {
  request: ConsentRequest
}) {
  const { t } = useTranslation(['consent', 'translation'])
  const granted = permissions.filter(({ held }) => held)
  if (granted.length === 0) return null
  const names = companies.choices.filter(({ held }) => held).map(({ name }) => isolate(name))
  const servers = resources.filter(({ held }) => held).map(({ resource }) => isolate(resource))
  return (
    <Section>
      <details className={classes.access}>
        <summary>{t('alreadyTitle')}</summary>
        <ul>
          {granted.map(({ permission }) => (
            <li key={permission}>{t(`translation:permission.${permission}.name`)}</li>
          ))}
          {companies.every_held ? (
            <li>{t('alreadyEvery')}</li>
          ) : (
            names.length > 0 && <li>{t('alreadyFor', { companies: names.join(', ') })}</li>
          )}
          {servers.length > 0 && <li>{t('alreadyAt', { servers: servers.join(', ') })}</li>}
        </ul>
      </details>
    </Section>
  )
}
