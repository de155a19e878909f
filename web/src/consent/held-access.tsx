import { useTranslation } from 'react-i18next'
import { isolate } from '../language/isolate.ts'
import { Section } from '../ui/section.tsx'
import { type ConsentRequest, heldAccess } from './choice.ts'
import classes from './held-access.module.css'

/** What the app may see already, folded: it is not what is signed now. */
export function HeldAccess({ request }: { request: ConsentRequest }) {
  const { t } = useTranslation(['consent', 'translation'])
  const { permissions, every, companies, resources } = heldAccess(request)
  if (permissions.length === 0) return null
  return (
    <Section>
      <details>
        <summary className={classes.summary}>{t('heldTitle')}</summary>
        <ul className={classes.list}>
          {permissions.map((permission) => (
            <li key={permission}>{t(`translation:permission.${permission}.name`)}</li>
          ))}
          {every ? (
            <li>{t('heldEvery')}</li>
          ) : (
            companies.length > 0 && <li>{t('heldFor', { companies: companies.map(isolate).join(', ') })}</li>
          )}
          {resources.length > 0 && (
            <li>{t('heldServers', { servers: resources.map(isolate).join(', ') })}</li>
          )}
        </ul>
      </details>
    </Section>
  )
}
