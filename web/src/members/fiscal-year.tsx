import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { useCompany } from '../company/company.ts'
import { monthName } from '../language/format-day.ts'
import { useLanguage } from '../language/language.ts'
import { renewSession } from '../session/use-session.ts'
import { useWrite } from '../session/use-write.ts'
import { Button, Buttons } from '../ui/controls/button.tsx'
import { SelectField } from '../ui/controls/select.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { Note } from '../ui/feedback/note.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Stack } from '../ui/layout/page.tsx'
import { Section } from '../ui/layout/section.tsx'

const months = Array.from({ length: 12 }, (_month, index) => index + 1)

/** The month with which the company's fiscal year begins. Reports offer its ranges. */
export function FiscalYear({ onDone }: { onDone: (announcement: string) => void }) {
  const { t } = useTranslation('members')
  const language = useLanguage()
  const client = useQueryClient()
  const { company_id, fiscal_year_month: current } = useCompany()
  const [chosen, setChosen] = useState(current)
  const change = useWrite('PATCH /console/companies/{company_id}', {
    // After a conflict the page knows the other owner's choice, and this one can be saved over it.
    onSettled: () => renewSession(client),
    onSuccess: () => onDone(t('fiscalYear.saved')),
  })
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    change.mutate({
      path: { company_id },
      body: { fiscal_year_month: chosen, expected_fiscal_year_month: current },
    })
  }
  const { error } = change
  const isConflict = error instanceof ApiError && error.field === 'expected_fiscal_year_month'
  return (
    <Card>
      <Section title={t('fiscalYear.title')} line={t('fiscalYear.line')}>
        <form onSubmit={onSubmit}>
          <Stack>
            <SelectField
              label={t('fiscalYear.month')}
              value={String(chosen)}
              options={months.map((month) => ({
                value: String(month),
                label: monthName(language, month, 'long'),
              }))}
              onChange={(month) => setChosen(Number(month))}
            />
            {isConflict && (
              <Note tone="amber">
                {t('fiscalYear.changed', { month: monthName(language, current, 'long') })}
              </Note>
            )}
            {error !== null && !isConflict && <Failure error={error} title={t('fiscalYear.failed')} />}
            <Buttons>
              <Button type="submit" busy={change.isPending}>
                {t('fiscalYear.save')}
              </Button>
            </Buttons>
          </Stack>
        </form>
      </Section>
    </Card>
  )
}
