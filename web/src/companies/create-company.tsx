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

/** In characters, as the service counts them. */
const nameLengthMax = 100

/** A name of the right length can only be refused for its characters. */
function isNameRefused(error: Error | null): boolean {
  return error instanceof ApiError && error.field === 'name'
}

/** On a demo: creates a company with a made-up number, owned by the visitor. */
export function CreateCompany() {
  const { t } = useTranslation('companies')
  const { csrf_token } = useMember()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [isWrong, setWrong] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const { make: wanted } = useSearch({ strict: false })
  // Links that lead here focus the field, even if the page was already open.
  useEffect(() => {
    if (wanted === 'own') field.current?.focus()
  }, [wanted])
  const create = useMutation({
    mutationFn: () => callApi('POST /console/demo-companies', { body: { name: name.trim() } }, csrf_token),
    onSuccess: async ({ company_id }) => {
      // The session lists the new company.
      await renewSession(client)
      await navigate({ to: '/companies/$companyId/reports', params: { companyId: company_id } })
    },
  })
  const isUnseen = isNameRefused(create.error)

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (create.isPending) return
    const letters = [...name.trim()].length
    const isRight = letters > 0 && letters <= nameLengthMax
    setWrong(!isRight)
    if (!isRight) field.current?.focus()
    else create.mutate(undefined, { onError: (error) => isNameRefused(error) && field.current?.focus() })
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
          <Button type="submit" variant="primary" busy={create.isPending}>
            {t('own.create')}
          </Button>
        </form>
        {create.error && !isUnseen && <Failure error={create.error} title={t('own.failed')} />}
      </Section>
    </Card>
  )
}
