import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { companyKey, type Connection, type Source } from '../company/lists.ts'
import type { Language } from '../language/language.ts'
import { useMember } from '../session/member.ts'
import { Button, Buttons } from '../ui/button.tsx'
import { ButtonLink } from '../ui/button-link.tsx'
import { Card } from '../ui/card.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { Failure } from '../ui/failure.tsx'
import { ChoiceGroup, TextField } from '../ui/field.tsx'
import { Note } from '../ui/note.tsx'
import { Stack } from '../ui/page.tsx'
import { Radio } from '../ui/check.tsx'
import { Section } from '../ui/section.tsx'
import { useUnsavedGuard } from '../ui/unsaved-guard.tsx'
import { type InHand, putInHand } from './in-hand.ts'
import { type Draft, type DraftFault, faultsOf, startingDraft, toNewConnection } from './new-connection.ts'
import { FurtherCompanies, PermissionField, SourceField } from './new-connection-fields.tsx'
import { CannotSign } from './cannot-sign.tsx'
import { SigningSentence } from './signing-sentence.tsx'
import { beginSigning } from './sign-calls.ts'

const route = getRouteApi('/frame/companies/$companyId/connections/new')

/** Where a fault stands. */
const fieldOf: Record<DraftFault, string> = {
  name: 'connection-name',
  nameLong: 'connection-name',
  nameHidden: 'connection-name',
  may: 'connection-may',
  source: 'connection-source',
}

/**
 * All of a connection as one form.
 *
 * @param predecessor the connection whose place it takes
 */
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
  const [faults, setFaults] = useState<DraftFault[]>([])
  const make = useMake(draft)
  const question = useUnsavedGuard(draft !== start && !make.isSuccess)
  const change = (changed: Partial<Draft>): void => setDraft({ ...draft, ...changed })
  const faultOf = (...names: DraftFault[]): string | undefined => {
    const found = faults.find((fault) => names.includes(fault))
    return found && faultsOf(draft).includes(found) ? t(`form.fault.${found}`) : undefined
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (make.isPending) return
    const found = faultsOf(draft)
    setFaults(found)
    if (found.length === 0) make.mutate()
  }

  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <Summary faults={faults} draft={draft} />
        <CannotSign />
        <Card>
          <Section>
            <TextField
              id={fieldOf.name}
              label={t('form.name')}
              hint={t('form.nameHint')}
              error={faultOf('name', 'nameLong', 'nameHidden')}
              value={draft.name}
              onChange={(name) => change({ name })}
            />
            <PermissionField id={fieldOf.may} draft={draft} error={faultOf('may')} onChange={change} />
          </Section>
          <Section>
            <SourceField
              id={fieldOf.source}
              sources={sources}
              draft={draft}
              error={faultOf('source')}
              onChange={change}
            />
            <FurtherCompanies draft={draft} onChange={change} />
          </Section>
          <Section>
            <KindField draft={draft} onChange={change} />
            <CredentialField draft={draft} onChange={change} />
          </Section>
          <SumSection draft={draft} sources={sources} isBusy={make.isPending} error={make.error} />
        </Card>
      </Stack>
      {question}
    </form>
  )
}

/** What will be signed, and the button that makes it so. */
function SumSection({
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
  const submit = draft.credential === 'static' ? 'submitStatic' : signs ? 'submitSign' : 'submitMake'
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

/** @param faults of the last sending */
function Summary({ faults, draft }: { faults: readonly DraftFault[]; draft: Draft }) {
  const { t } = useTranslation('connections')
  const now = faultsOf(draft)
  const lines = faults.some((fault) => now.includes(fault))
    ? faults.map((fault) => ({ fieldId: fieldOf[fault], message: t(`form.fault.${fault}`) }))
    : []
  return <ErrorSummary faults={lines} sending={faults} />
}

/** Makes it, and begins to sign it where nothing is to be kept before; its own page goes on from there. */
function useMake(draft: Draft) {
  const language = useTranslation().i18n.language as Language
  const { company_id } = useCompany()
  const { csrf_token, identity } = useMember()
  const client = useQueryClient()
  const navigate = useNavigate()

  async function next(connection_id: string, credential: string | undefined): Promise<InHand> {
    if (credential !== undefined) return { secret: { value: credential, by: 'making' } }
    if (!identity.signs) return {}
    // It is made: its page says that signing it did not begin, and lets one try again.
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
      return { connection, inHand: await next(connection.connection_id, credential) }
    },
    onSuccess: async ({ connection, inHand }) => {
      const { connection_id } = connection
      putInHand(client, connection_id, inHand)
      void client.invalidateQueries({ queryKey: companyKey(company_id, 'connections'), exact: true })
      client.setQueryData(companyKey(company_id, 'connections', connection_id), connection)
      await navigate({
        to: '/companies/$companyId/connections/$connectionId',
        params: { companyId: company_id, connectionId: connection_id },
        // Going back leads to the list, and makes none twice.
        replace: true,
        ignoreBlocker: true,
      })
    },
  })
}

interface FieldProps {
  draft: Draft
  onChange: (changed: Partial<Draft>) => void
}

function KindField({ draft, onChange }: FieldProps) {
  const { t } = useTranslation('connections')
  const cameFor = route.useSearch().kind
  return (
    <ChoiceGroup label={t('form.kind')}>
      {(['production', 'sandbox'] as const).map((kind) => (
        <Radio
          key={kind}
          name="kind"
          label={t(`form.${kind}`)}
          hint={t(`form.${kind}Hint`)}
          checked={draft.kind === kind}
          onChoose={() => onChange({ kind })}
        />
      ))}
      {cameFor !== undefined && cameFor !== draft.kind && (
        <Note tone="amber" icon="warning" role="status">
          {t(cameFor === 'sandbox' ? 'form.cameForSandbox' : 'form.cameForProduction')}
        </Note>
      )}
    </ChoiceGroup>
  )
}

function CredentialField({ draft, onChange }: FieldProps) {
  const { t } = useTranslation('connections')
  return (
    <ChoiceGroup label={t('form.credential')}>
      {(['client', 'static'] as const).map((credential) => (
        <Radio
          key={credential}
          name="credential"
          label={t(credential)}
          hint={t(`form.${credential}Hint`)}
          checked={draft.credential === credential}
          onChoose={() => onChange({ credential })}
        />
      ))}
    </ChoiceGroup>
  )
}
