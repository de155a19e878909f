import { createLink, Link, useNavigate } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Company } from '../company/company.ts'
import { useOpenItems } from '../company/attention.ts'
import { useLateSources } from '../company/own-companies.ts'
import { switchLanguage } from '../language/language.ts'
import { useMember } from '../session/member.ts'
import { useSignOut } from '../session/use-sign-out.ts'
import { chooseColours, colourChoices, useColours } from '../ui/style/colours.ts'
import { Badge } from '../ui/display/badge.tsx'
import { DemoBadge } from '../ui/display/demo-badge.tsx'
import { documentationIn } from '../ui/documentation.ts'
import { Failure } from '../ui/feedback/failure.tsx'
import { Icon, type IconName } from '../ui/display/icon.tsx'
import { controlKey } from '../ui/display/control-key.ts'
import { Mark } from '../ui/display/mark.tsx'
import { CompanySwitch } from './company-switch.tsx'
import { ownPages, sectionsFor } from './sections.ts'
import classes from './side.module.css'

/** @param props.badge after the words */
function SideAnchor({
  icon,
  badge,
  children,
  ...rest
}: Omit<ComponentProps<'a'>, 'className'> & { icon: IconName; badge?: ReactNode }) {
  return (
    <a {...rest} className={classes.item}>
      <Icon name={icon} />
      <span>{children}</span>
      {badge}
    </a>
  )
}

const SideLink = createLink(SideAnchor)

function SideButton({ icon, children, ...rest }: ComponentProps<'button'> & { icon: IconName }) {
  return (
    <button type="button" {...rest} className={classes.item}>
      <Icon name={icon} />
      <span>{children}</span>
    </button>
  )
}

/** The person's name, the language, the colours, and signing out. */
function Person({ company }: { company: Company | undefined }) {
  const { t, i18n } = useTranslation()
  const session = useMember()
  const colours = useColours()
  const navigate = useNavigate()
  const signOut = useSignOut(session.csrf_token, () => void navigate({ to: '/sign-in', ignoreBlocker: true }))
  const other = i18n.language === 'sv' ? 'en' : 'sv'
  const nextColours = colourChoices[(colourChoices.indexOf(colours) + 1) % colourChoices.length]!
  return (
    <section className={classes.person} aria-label={t('frame.settings')}>
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

/** The content of the side: the company, its parts by role, and the member's own pages. */
export function Side({ company, onSearch }: { company: Company | undefined; onSearch: () => void }) {
  const { t } = useTranslation()
  const { companies, identity } = useMember()
  const late = useLateSources(company?.company_id)
  const open = useOpenItems(company?.company_id)
  return (
    <>
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
        <kbd aria-hidden="true">{`${controlKey} K`}</kbd>
      </button>
      <nav aria-label={t('frame.sections')}>
        {company !== undefined && (
          <ul className={classes.list}>
            {sectionsFor(company.role).map(({ name, to, icon }) => (
              <li key={name}>
                <SideLink
                  to={to}
                  params={{ companyId: company.company_id }}
                  icon={icon}
                  badge={
                    name === 'reports' && late > 0 ? (
                      <Badge tone="amber">{t('frame.late', { count: late })}</Badge>
                    ) : (
                      name === 'attention' &&
                      open > 0 && <Badge tone="amber">{t('frame.open', { count: open })}</Badge>
                    )
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
              <SideLink to={to} search={{ company: company?.company_id }} icon={icon}>
                {t(`frame.${name}`)}
              </SideLink>
            </li>
          ))}
        </ul>
      </nav>
      <Person company={company} />
    </>
  )
}
