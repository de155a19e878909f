import { createLink, Link, useNavigate } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react'
import { useTranslation } from 'react-i18next'
import type { Company } from '../company/company.ts'
import { useLateSources } from '../company/own-companies.ts'
import { switchLanguage } from '../language/language.ts'
import { useMember } from '../session/member.ts'
import { useSignOut } from '../session/use-sign-out.ts'
import { chooseColours, colourChoices, useColours } from '../ui/colours.ts'
import { Badge } from '../ui/badge.tsx'
import { DemoBadge } from '../ui/demo-badge.tsx'
import { documentationIn } from '../ui/documentation.ts'
import { Failure } from '../ui/failure.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { controlKey, Key } from '../ui/keys.tsx'
import { Mark } from '../ui/mark.tsx'
import { CompanySwitch } from './company-switch.tsx'
import { ownPages, sectionsOf } from './sections.ts'
import classes from './side.module.css'

function SideAnchor({
  icon,
  mark,
  children,
  ...rest
}: Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'className'> & {
  icon: IconName
  /** Beside the words. */
  mark?: ReactNode
  ref?: Ref<HTMLAnchorElement>
}) {
  return (
    <a {...rest} className={classes.item}>
      <Icon name={icon} />
      <span className={classes.words}>{children}</span>
      {mark}
    </a>
  )
}

const SideLink = createLink(SideAnchor)

function SideButton({
  icon,
  lang,
  onClick,
  children,
}: {
  icon: IconName
  lang?: string
  onClick: () => void
  children: ReactNode
}) {
  return (
    <button type="button" lang={lang} className={classes.item} onClick={onClick}>
      <Icon name={icon} />
      <span className={classes.words}>{children}</span>
    </button>
  )
}

/** Language, colours, and the way out. */
function Person({ company }: { company: Company | undefined }) {
  const { t, i18n } = useTranslation()
  const session = useMember()
  const colours = useColours()
  const navigate = useNavigate()
  const signOut = useSignOut(session.csrf_token, () => void navigate({ to: '/sign-in', ignoreBlocker: true }))
  const other = i18n.language === 'sv' ? 'en' : 'sv'
  const nextColours = colourChoices[(colourChoices.indexOf(colours) + 1) % colourChoices.length]!
  return (
    <section className={`${classes.person} ${classes.lined}`} aria-label={t('frame.settings')}>
      <div className={classes.who}>
        <h3>
          <bdi>{session.name ?? t('frame.nameless')}</bdi>
        </h3>
        {company !== undefined && <p className="small">{t(`role.${company.role}`)}</p>}
      </div>
      <div className={classes.list}>
        <SideAnchor icon="file" href={documentationIn(i18n.language)}>
          {t('frame.documentation')}
        </SideAnchor>
        <SideButton icon="language" lang={other} onClick={() => switchLanguage(other)}>
          {t('ui.otherLanguage')}
        </SideButton>
        <SideButton icon="colours" onClick={() => chooseColours(nextColours)}>
          {t(`frame.colours.${colours}`)}
        </SideButton>
        <SideButton icon="leave" onClick={() => signOut.mutate()}>
          {t('session.signOut')}
        </SideButton>
      </div>
      {signOut.error && <Failure error={signOut.error} />}
    </section>
  )
}

/** What stands at the left, and in the drawer of a phone: the company, its parts by role, the member's own pages. */
export function Side({ company, onSearch }: { company: Company | undefined; onSearch: () => void }) {
  const { t } = useTranslation()
  const { companies, identity } = useMember()
  const late = useLateSources(company?.company_id)
  return (
    <div className={classes.content}>
      <div className={classes.top}>
        <Link to="/" className={classes.home}>
          <Mark />
        </Link>
        {identity.demo && <DemoBadge />}
      </div>
      <CompanySwitch companies={companies} current={company} />
      <button type="button" className={classes.search} onClick={onSearch}>
        <Icon name="search" />
        <span>{t('frame.search')}</span>
        <span aria-hidden="true">
          <Key>{`${controlKey} K`}</Key>
        </span>
      </button>
      <nav aria-label={t('frame.sections')}>
        {company !== undefined && (
          <ul className={classes.list}>
            {sectionsOf(company.role).map(({ name, to, icon }) => (
              <li key={name}>
                <SideLink
                  to={to}
                  params={{ companyId: company.company_id }}
                  icon={icon}
                  mark={
                    name === 'reports' &&
                    late > 0 && <Badge tone="amber">{t('frame.late', { count: late })}</Badge>
                  }
                >
                  {t(`frame.${name}`)}
                </SideLink>
              </li>
            ))}
          </ul>
        )}
        <ul className={classes.list}>
          {ownPages.map(({ name, to, icon }) => (
            <li key={name}>
              <SideLink to={to} icon={icon}>
                {t(`frame.${name}`)}
              </SideLink>
            </li>
          ))}
        </ul>
      </nav>
      <Person company={company} />
    </div>
  )
}
