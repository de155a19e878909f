import { useQuery } from '@tanstack/react-query'
import { may, useCompany } from '../company/company.ts'
import { sourcesQuery } from '../company/lists.ts'
import { Owners } from '../company/owners.tsx'
import { useLinks } from '../company/use-links.ts'
import { useTexts } from '../language/language.ts'
import { ButtonLink } from '../ui/controls/button-link.tsx'
import { Empty, EmptyStart } from '../ui/feedback/empty-start.tsx'
import { Row } from '../ui/layout/page.tsx'

/** Leads developers to their first source; tells readers that the owners do that. */
export function NothingYet() {
  const t = useTexts('reports')
  const { company_id, role } = useCompany()
  const links = useLinks()
  const isDeveloper = may(role, 'developer')
  const hasSource = (useQuery({ ...sourcesQuery(company_id), enabled: isDeveloper }).data ?? []).length > 0
  if (!isDeveloper) {
    return (
      <Empty title={t('byThemselves')} actions={<Owners label={t('whoConnects')} />}>
        {t('byThemselvesText')}
      </Empty>
    )
  }
  const newSource = (
    <ButtonLink {...links.newSource} variant="primary" icon="plus">
      {t('start.newSource')}
    </ButtonLink>
  )
  const toSources = (
    <ButtonLink {...links.sources} variant="primary">
      {t('start.toSources')}
    </ButtonLink>
  )
  return (
    <>
      <EmptyStart
        title={t('start.title')}
        steps={[
          {
            title: t('start.describe'),
            text: t('start.describeText'),
            ...(hasSource ? { state: 'done' } : { state: 'now', action: newSource }),
          },
          {
            title: t('start.sign'),
            text: t('start.signText'),
            ...(hasSource ? { state: 'now', action: toSources } : { state: 'later' }),
          },
          { title: t('start.send'), text: t('start.sendText'), state: 'later' },
        ]}
      />
      {may(role, 'owner') && (
        <Row spread>
          <div>
            <h3>{t('invite')}</h3>
            <p className="quiet">{t('inviteText')}</p>
          </div>
          <ButtonLink {...links.members} icon="mail">
            {t('inviteDeveloper')}
          </ButtonLink>
        </Row>
      )}
    </>
  )
}
