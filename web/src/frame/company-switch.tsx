import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Company, may } from '../company/company.ts'
import { useMember } from '../session/member.ts'
import { SearchField } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { MenuLink, MenuList, Popover } from '../ui/popover.tsx'
import { sectionAt } from './sections.ts'
import classes from './side.module.css'

/** With more companies than this, one is found by its name or number. */
const listedMax = 7

function Named({ company }: { company: Company }) {
  return (
    <span className={classes.company}>
      <bdi className={classes.companyName}>{company.name}</bdi>
      <span className="small">{company.orgnr}</span>
    </span>
  )
}

/** Letters without case, numbers with or without their hyphen. */
function matches({ name, orgnr }: Company, text: string): boolean {
  const wanted = text.trim().toLowerCase()
  const digits = wanted.replaceAll('-', '')
  return name.toLowerCase().includes(wanted) || (digits !== '' && orgnr.replaceAll('-', '').includes(digits))
}

/** The company, and a list to go to another one: to the same part of it, where the role there opens that. */
export function CompanySwitch({
  companies,
  current,
}: {
  companies: Company[]
  current: Company | undefined
}) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const section = sectionAt(useLocation({ select: ({ pathname }) => pathname }))
  const { demo } = useMember().identity
  if (companies.length === 0) return null
  const found = companies.filter((company) => matches(company, text))
  return (
    <Popover
      label={t('frame.switchCompany')}
      renderButton={(opener) => (
        <button type="button" {...opener} className={classes.switch}>
          {current === undefined ? t('frame.allCompanies') : <Named company={current} />}
          <span className="unseen">{t('frame.switchCompany')}</span>
          <Icon name="upDown" />
        </button>
      )}
    >
      {companies.length > listedMax && (
        <div className={classes.find}>
          <SearchField data-autofocus label={t('frame.findCompany')} value={text} onChange={setText} />
        </div>
      )}
      <MenuList>
        {found.map((company) => (
          <MenuLink
            key={company.company_id}
            to={
              section !== undefined && may(company.role, section.needs)
                ? section.to
                : '/companies/$companyId/reports'
            }
            params={{ companyId: company.company_id }}
          >
            <Named company={company} />
          </MenuLink>
        ))}
        {found.length === 0 && <p className="quiet">{t('frame.noSuchCompany')}</p>}
        <MenuLink to="/companies" icon="companies">
          {t('frame.allCompanies')}
        </MenuLink>
        {demo && (
          <MenuLink to="/companies" search={{ make: 'own' }} icon="plus">
            {t('frame.ownCompany')}
          </MenuLink>
        )}
      </MenuList>
    </Popover>
  )
}
