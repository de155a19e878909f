import { useTranslation } from 'react-i18next'
import { Check, Radio } from '../ui/check.tsx'
import { type Choice, companyChoices, type ConsentRequest } from './choice.ts'
import classes from './company-choice.module.css'

/** Which companies: all of them, later ones too, or the ticked ones. A member of one company may join others later. */
export function CompanyChoice({
  request,
  choice,
  onChoose,
}: {
  request: ConsentRequest
  choice: Choice
  onChoose: (choice: Choice) => void
}) {
  const { t } = useTranslation('consent')
  const companies = companyChoices(request)
  if (companies.length === 0) return <p className="quiet">{t('noCompany')}</p>

  const ticks = companies.map(({ company_id, name, orgnr }) => (
    <Check
      key={company_id}
      label={<bdi>{name}</bdi>}
      hint={orgnr}
      checked={choice.companies.includes(company_id)}
      onChange={(checked) =>
        onChoose({
          ...choice,
          companies: companies
            .map((other) => other.company_id)
            .filter((other) => (other === company_id ? checked : choice.companies.includes(other))),
        })
      }
    />
  ))
  if (request.adds) return ticks

  return (
    <>
      <Radio
        name="companies"
        label={t('every')}
        checked={choice.every}
        onChoose={() => onChoose({ ...choice, every: true })}
      />
      <Radio
        name="companies"
        label={t('chosen')}
        checked={!choice.every}
        onChoose={() => onChoose({ ...choice, every: false })}
      />
      {!choice.every && <div className={classes.ticks}>{ticks}</div>}
    </>
  )
}
