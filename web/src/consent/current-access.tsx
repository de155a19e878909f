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
  const grantedPermissions = permissions.filter(({ granted }) => granted)
  if (grantedPermissions.length === 0) return null
  const names = companies.choices.filter(({ granted }) => granted).map(({ name }) => isolate(name))
  const servers = resources.filter(({ granted }) => granted).map(({ resource }) => isolate(resource))
  return (
    <Section>
      <details className={classes.access}>
        <summary>{t('alreadyTitle')}</summary>
        <ul>
          {grantedPermissions.map(({ permission }) => (
            <li key={permission}>{t(`translation:permission.${permission}.name`)}</li>
          ))}
          {companies.every_granted ? (
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
