import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Below } from '../ui/layout/below.tsx'
import { useCompany } from './company.ts'
import { ownersQuery } from './lists.ts'
import classes from './owners.module.css'

/**
 * The owners by name, for members who lack a permission.
 *
 * @param label what the owners can do, above their names
 */
export function Owners({ label, children }: { label: string; children?: ReactNode }) {
  const { t } = useTranslation()
  const { company_id } = useCompany()
  const { data, isPending } = useQuery(ownersQuery(company_id))
  const owners = data?.filter(({ name }) => name !== null) ?? []
  return (
    <>
      {owners.length > 0 && (
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
      )}
      <Below isReady={!isPending}>{children}</Below>
    </>
  )
}
