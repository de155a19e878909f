import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useCompany } from './company.ts'
import { ownersQuery } from './lists.ts'
import classes from './owners.module.css'

/**
 * Whom to ask for what one may not do: the owners by name.
 *
 * @param label what they can do, above their names
 */
export function Owners({ label }: { label: string }) {
  const { t } = useTranslation()
  const { company_id } = useCompany()
  const owners = useQuery(ownersQuery(company_id)).data?.filter(({ name }) => name !== null) ?? []
  if (owners.length === 0) return null
  return (
    <div>
      <p className="small">{label}</p>
      <ul className={classes.list}>
        {owners.map(({ member_id, name }) => (
          <li key={member_id}>
            <b>
              <bdi>{name}</bdi>
            </b>{' '}
            <span className="quiet">{t('problem.owner')}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
