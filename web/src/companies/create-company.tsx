import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { callApi } from '../api/call-api.ts'
import { useMember } from '../session/member.ts'
import { renewSession } from '../session/use-session.ts'
import { Button } from '../ui/controls/button.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { TextField } from '../ui/controls/field.tsx'
import { Section } from '../ui/layout/section.tsx'
import classes from './create-company.module.css'

/** Letters of a name, as the service counts them. */
const nameLengthMax = 100

/** What remains to be wrong with a name of the right length is a character of it. */
function isNameRefused(error: Error | null): boolean {
  return error instanceof ApiError && error.field === 'name'
}

/** On a demo: a company with a made-up number, of which whoever tries it out is the owner. */
export function CreateCompany() {
  const { t } = useTranslation('companies')
  const { csrf_token } = useMember()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [isWrong, setWrong] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const { make: wanted } = useSearch({ strict: false })
  // Whoever came for it goes on there, whether or not the page was open.
  useEffect(() => {
    if (wanted === 'own') field.current?.focus()
  }, [wanted])
  const make = useMutation({
    mutationFn: () => callApi('POST /console/demo-companies', { body: { name: name.trim() } }, csrf_token),
    onSuccess: async ({ company_id }) => {
      // It is one of the session's from now on.
      await renewSession(client)
      await navigate({ to: '/companies/$companyId/reports', params: { companyId: company_id } })
    },
  })
  const isUnseen = isNameRefused(make.error)

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (make.isPending) return
    const letters = [...name.trim()].length
    const isRight = letters > 0 && letters <= nameLengthMax
    setWrong(!isRight)
    if (!isRight) field.current?.focus()
    else make.mutate(undefined, { onError: (error) => isNameRefused(error) && field.current?.focus() })
  }

  return (
    <Card>
      <Section title={t('own.title')} line={t('own.text')}>
        <form onSubmit={onSubmit} className={classes.form} noValidate>
          <TextField
            ref={field}
            label={t('own.name')}
            error={isWrong ? t('own.fault') : isUnseen ? t('own.unseen') : undefined}
            value={name}
            onChange={setName}
          />
          <Button type="submit" variant="primary" busy={make.isPending}>
            {t('own.create')}
          </Button>
        </form>
        {make.error && !isUnseen && <Failure error={make.error} title={t('own.failed')} />}
      </Section>
    </Card>
  )
}
