import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../api/call-api.ts'
import { useCompany } from '../../company/company.ts'
import { companyKey, type Connection, type Source } from '../../company/lists.ts'
import type { Language } from '../../language/language.ts'
import { useMember } from '../../session/member.ts'
import { Button, Buttons } from '../../ui/controls/button.tsx'
import { ButtonLink } from '../../ui/controls/button-link.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { ErrorSummary } from '../../ui/feedback/error-summary.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { TextField } from '../../ui/controls/field.tsx'
import { Stack } from '../../ui/layout/page.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { useUnsavedGuard } from '../../ui/overlays/unsaved-guard.tsx'
import { type NextStep, putNextStep } from '../signing/next-step.ts'
import { beginSigning } from '../signing/use-begin-signing.ts'
import { CannotSign } from '../signing/cannot-sign.tsx'
import { SigningSentence } from '../signing/signing-sentence.tsx'
import { type Draft, type DraftFault, findFaults, startingDraft, toNewConnection } from './new-connection.ts'
import {
  CredentialField,
  FurtherCompanies,
  KindField,
  PermissionField,
  SourceField,
} from './new-connection-fields.tsx'

const route = getRouteApi('/frame/companies/$companyId/connections/new')

const fieldIds: Record<DraftFault, string> = {
  name: 'connection-name',
  nameLong: 'connection-name',
  nameHidden: 'connection-name',
  may: 'connection-may',
  source: 'connection-source',
}

/** @param props.predecessor the connection that the new one replaces */
export function NewConnectionForm({
  sources,
  predecessor,
}: {
  sources: Source[]
  predecessor: Connection | undefined
}) {
  const { t } = useTranslation('connections')
  const search = route.useSearch()
  const [start] = useState(() => ({
    ...startingDraft(search, sources, predecessor),
    ...(search.from === 'reference' && { name: t('reference.name') }),
  }))
  const [draft, setDraft] = useState<Draft>(start)
  /** Those of the last submission. */
  const [faults, setFaults] = useState<DraftFault[]>([])
  const create = useCreate(draft)
  const question = useUnsavedGuard(draft !== start && !create.isSuccess)
  const current = findFaults(draft)
  const field = { draft, onChange: (changed: Partial<Draft>): void => setDraft({ ...draft, ...changed }) }
  const toError = (...names: DraftFault[]): string | undefined => {
    const found = faults.find((fault) => names.includes(fault))
    return found && current.includes(found) ? t(`form.fault.${found}`) : undefined
  }
  const summary = faults.some((fault) => current.includes(fault)) ? faults : []

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (create.isPending) return
    setFaults(current)
    if (current.length === 0) create.mutate()
  }

  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <ErrorSummary
          faults={summary.map((fault) => ({ fieldId: fieldIds[fault], message: t(`form.fault.${fault}`) }))}
          sending={faults}
        />
        <CannotSign />
        <Card>
          <Section>
            <TextField
              id={fieldIds.name}
              label={t('form.name')}
              hint={t('form.nameHint')}
              error={toError('name', 'nameLong', 'nameHidden')}
              value={draft.name}
              onChange={(name) => field.onChange({ name })}
            />
            <PermissionField {...field} id={fieldIds.may} error={toError('may')} />
          </Section>
          <Section>
            <SourceField {...field} id={fieldIds.source} sources={sources} error={toError('source')} />
            <FurtherCompanies {...field} />
          </Section>
          <Section>
            <KindField {...field} expected={search.kind} />
            <CredentialField {...field} />
          </Section>
          <SubmitSection draft={draft} sources={sources} isBusy={create.isPending} error={create.error} />
        </Card>
      </Stack>
      {question}
    </form>
  )
}

/** What will be signed, and the buttons. */
function SubmitSection({
  draft,
  sources,
  isBusy,
  error,
}: {
  draft: Draft
  sources: Source[]
  isBusy: boolean
  error: Error | null
}) {
  const { t } = useTranslation('connections')
  const { company_id } = useCompany()
  const { signs } = useMember().identity
  const submit = draft.credential === 'static' ? 'submitStatic' : signs ? 'submitSign' : 'submitCreate'
  return (
    <Section title={t('form.sum')}>
      <SigningSentence draft={draft} sources={sources} />
      {error && <Failure error={error} title={t('form.failed')} />}
      <Buttons>
        <Button type="submit" variant="primary" busy={isBusy}>
          {t(`form.${submit}`)}
        </Button>
        <ButtonLink to="/companies/$companyId/connections" params={{ companyId: company_id }} variant="quiet">
          {t('form.cancel')}
        </ButtonLink>
      </Buttons>
    </Section>
  )
}

/** Creates the connection, starts signing it unless there is a secret to store first, and opens its page. */
function useCreate(draft: Draft) {
  const language = useTranslation().i18n.language as Language
  const { company_id } = useCompany()
  const { csrf_token, identity } = useMember()
  const client = useQueryClient()
  const navigate = useNavigate()

  async function toNextStep(connection_id: string, credential: string | undefined): Promise<NextStep> {
    if (credential !== undefined) return { secret: { value: credential, by: 'creation' } }
    if (!identity.signs) return {}
    // If signing cannot start, the connection still exists: its page shows why, and offers to try again.
    return beginSigning({ company_id, connection_id }, language, csrf_token).then(
      (signing) => ({ signing }),
      (signingFault: Error) => ({ signingFault }),
    )
  }

  return useMutation({
    mutationFn: async () => {
      const { connection, credential } = await callApi(
        'POST /console/companies/{company_id}/connections',
        { path: { company_id }, body: toNewConnection(draft) },
        csrf_token,
      )
      return { connection, step: await toNextStep(connection.connection_id, credential) }
    },
    onSuccess: async ({ connection, step }) => {
      const { connection_id } = connection
      putNextStep(client, connection_id, step)
      void client.invalidateQueries({ queryKey: companyKey(company_id, 'connections'), exact: true })
      client.setQueryData(companyKey(company_id, 'connections', connection_id), connection)
      await navigate({
        to: '/companies/$companyId/connections/$connectionId',
        params: { companyId: company_id, connectionId: connection_id },
        // Going back must not lead to the form, which would create another one.
        replace: true,
        ignoreBlocker: true,
      })
    },
  })
}
