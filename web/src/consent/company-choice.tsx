import { useTranslation } from 'react-i18next'
import { Check, Radio } from '../ui/controls/check.tsx'
import { type Choice, companyChoices, type ConsentRequest } from './choice.ts'
import classes from './company-choice.module.css'

/** Which companies: all, including later ones, or those checked. A member of one company may join others later. */
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

  const checks = companies.map(({ company_id, name, orgnr }) => (
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
  if (request.adds) return checks

  return (
    <>
      {([true, false] as const).map((every) => (
        <Radio
          key={String(every)}
          name="companies"
          label={t(every ? 'every' : 'chosen')}
          checked={choice.every === every}
          onChoose={() => onChoose({ ...choice, every })}
        />
      ))}
      {!choice.every && <div className={classes.checks}>{checks}</div>}
    </>
  )
}
