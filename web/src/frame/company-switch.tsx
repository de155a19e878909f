import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Company, may } from '../company/company.ts'
import { useMember } from '../session/member.ts'
import { SearchField } from '../ui/controls/field.tsx'
import { Icon } from '../ui/display/icon.tsx'
import { MenuLink, Popover } from '../ui/overlays/popover.tsx'
import { sectionAt } from './sections.ts'
import classes from './side.module.css'

/** With more companies than this, there is a search field. */
const listedMax = 7

function CompanyName({ company }: { company: Company }) {
  return (
    <span className={classes.company}>
      <bdi>{company.name}</bdi>
      <span className="small">{company.orgnr}</span>
    </span>
  )
}

/** Ignores case in names, and the hyphen in numbers. */
function isMatch({ name, orgnr }: Company, text: string): boolean {
  const sought = text.trim().toLowerCase()
  const digits = sought.replaceAll('-', '')
  return name.toLowerCase().includes(sought) || (digits !== '' && orgnr.replaceAll('-', '').includes(digits))
}

/** The current company, and a list to switch to the same part of another one, where the member's role there allows it. */
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
  const found = companies.filter((company) => isMatch(company, text))
  return (
    <Popover
      label={t('frame.switchCompany')}
      renderButton={(opener) => (
        <button type="button" {...opener} className={classes.switch}>
          {current === undefined ? t('frame.allCompanies') : <CompanyName company={current} />}
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
          <CompanyName company={company} />
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
    </Popover>
  )
}
