import { useMutation, usePrefetchQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { companyKey, knownMetricsQuery } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { useMember } from '../session/member.ts'
import { useRecentSignIn } from '../session/sign-in-again.ts'
import { Button, Buttons } from '../ui/button.tsx'
import { ButtonLink } from '../ui/button-link.tsx'
import { Card } from '../ui/card.tsx'
import { ErrorSummary, type FieldFault } from '../ui/error-summary.tsx'
import { Failure } from '../ui/failure.tsx'
import { Note } from '../ui/note.tsx'
import { Page } from '../ui/page.tsx'
import { PageHead, Path } from '../ui/page-head.tsx'
import { Section } from '../ui/section.tsx'
import { Steps } from '../ui/steps.tsx'
import { useUnsavedGuard } from '../ui/unsaved-guard.tsx'
import { Conflict } from './conflict.tsx'
import { bodyOf, type Draft, draftOf, emptyDraft, type SavedSource } from './draft.ts'
import { type DraftFault, findFaults, type FormStep, formSteps, placeOf } from './find-faults.ts'
import { focusLater } from './focus-later.ts'
import type { Example } from './form-state.ts'
import { renewSources, savedMeanwhile, type ShownSource } from './source-query.ts'
import classes from './source-form.module.css'
import { SecretOnce } from './signing-secrets.tsx'
import { ChannelStep } from './step-channel.tsx'
import { DeliversStep } from './step-delivers.tsx'
import { FieldsStep } from './step-fields.tsx'
import { stepHeadingId } from './step-heading.tsx'
import { MetricsStep } from './step-metrics.tsx'
import { NameStep } from './step-name.tsx'
import { TimeStep } from './step-time.tsx'
import { useDraft } from './use-draft.ts'

const stepViews = {
  name: NameStep,
  channel: ChannelStep,
  fields: FieldsStep,
  time: TimeStep,
  delivers: DeliversStep,
  metrics: MetricsStep,
} as const

/** Saves a draft: makes the source, or changes the one that it began from. */
function useSave(current: SavedSource | null) {
  const { company_id } = useCompany()
  const { csrf_token } = useMember()
  const withRecentSignIn = useRecentSignIn()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (draft: Draft) => {
      const body = bodyOf(draft)
      if (current === null) {
        const made = await callApi(
          'POST /console/companies/{company_id}/sources',
          { path: { company_id }, body },
          csrf_token,
        )
        return { source: made, rebuilds: false }
      }
      const { source_id } = current.source
      return withRecentSignIn((csrfToken) =>
        callApi(
          'PUT /console/companies/{company_id}/sources/{source_id}',
          { path: { company_id, source_id }, body: { expected_revision: draft.revision ?? 1, ...body } },
          csrfToken,
        ),
      )
    },
    onError: (error) => {
      const theirs = error instanceof ApiError ? savedMeanwhile(error.details) : undefined
      if (theirs === undefined) return
      // The page is shown anew with what somebody else saved, beside this draft.
      client.setQueryData<ShownSource>(companyKey(company_id, 'sources', theirs.source.source_id), (known) =>
        known === undefined
          ? undefined
          : { ...known, source: theirs.source, versions: [theirs.version, ...known.versions] },
      )
    },
    onSuccess: () => void renewSources(client, company_id),
    // What it answers may hold a secret.
    gcTime: 0,
  })
}

const noFaults: readonly FieldFault[] = []

/** Which faults are said: those of steps that were left or saved, and what the service said of the draft as it is. */
function useFaults(draft: Draft) {
  const { t } = useTranslation('sources')
  const [tried, setTried] = useState<readonly FormStep[]>([])
  const [said, setSaid] = useState<{ draft: Draft; step: FormStep; fault: FieldFault }>()
  const [summary, setSummary] = useState<{ step: FormStep; faults: readonly (DraftFault | FieldFault)[] }>()
  const faults = findFaults(draft)
  const ofService = said?.draft === draft ? said : undefined
  const messageOf = (code: (typeof faults)[number]['code']): string => t(`faults.${code}`)
  const inWords = (fault: DraftFault | FieldFault): FieldFault =>
    'code' in fault ? { fieldId: fault.fieldId, message: messageOf(fault.code) } : fault
  const isStillWrong = ({ fieldId }: { fieldId: string }): boolean =>
    faults.some((fault) => fault.fieldId === fieldId) || ofService?.fault.fieldId === fieldId
  return {
    /** Of a step, as the last sending found it. */
    summaryOf: (step: FormStep): { faults: readonly FieldFault[]; sending?: object } =>
      summary?.step === step && summary.faults.some(isStillWrong)
        ? { faults: summary.faults.map(inWords), sending: summary }
        : { faults: noFaults },
    faultOf: (fieldId: string): string | undefined => {
      if (ofService?.fault.fieldId === fieldId) return ofService.fault.message
      const fault = faults.find((fault) => fault.fieldId === fieldId && tried.includes(fault.step))
      return fault && messageOf(fault.code)
    },
    isWrong: (step: FormStep): boolean =>
      ofService?.step === step || (tried.includes(step) && faults.some((fault) => fault.step === step)),
    /** Says what is wrong with some steps; gives the first of them with a fault. */
    check: (steps: readonly FormStep[]): FormStep | undefined => {
      const found = faults.filter(({ step }) => steps.includes(step))
      setTried((known) => [...new Set([...known, ...steps])])
      const first = found[0]?.step
      setSummary(first && { step: first, faults: found.filter(({ step }) => step === first) })
      return first
    },
    /** Says what the service found. */
    say: (step: FormStep, fault: FieldFault): void => {
      setSaid({ draft, step, fault })
      setSummary({ step, faults: [fault] })
    },
  }
}

/** What a draft begins from; another one once somebody else has saved. */
function useStart(current: SavedSource | null): Draft {
  const [start, setStart] = useState(() => startOf(current))
  if (current === null || current.source.revision === start.revision) return start
  const renewed = startOf(current)
  setStart(renewed)
  return renewed
}

function startOf(current: SavedSource | null): Draft {
  return current === null ? emptyDraft : draftOf(current)
}

/** The draft, the step that is shown, and what going on and saving do. */
function useSourceForm(current: SavedSource | null, step: FormStep | undefined) {
  const { t } = useTranslation('sources')
  const { company_id } = useCompany()
  const navigate = useNavigate()
  const start = useStart(current)
  const kept = useDraft(current?.source.source_id ?? null, start)
  const { draft } = kept
  const found = useFaults(draft)
  const save = useSave(current)
  const lastStep = formSteps.length - 1
  const [reached, setReached] = useState(current === null ? firstOpen(kept.wasKept, draft) : lastStep)
  const at = Math.min(step === undefined ? 0 : formSteps.indexOf(step), reached)
  const shown = formSteps[at]!
  const goTo = (to: FormStep): void => {
    setReached((reached) => Math.max(reached, formSteps.indexOf(to)))
    void navigate({ to: '.', search: { step: to } })
  }
  const leaveTo = (sourceId: string): void =>
    void navigate({
      to: '/companies/$companyId/sources/$sourceId',
      params: { companyId: company_id, sourceId },
      ignoreBlocker: true,
    })
  const send = (): void => {
    const wrong = found.check(formSteps)
    if (wrong !== undefined) return wrong === shown ? undefined : goTo(wrong)
    save.mutate(draft, {
      onSuccess: ({ source }) => {
        kept.forget()
        if (source.signing_secret === undefined) leaveTo(source.source_id)
      },
      onError: (error) => {
        const place = refusedPlace(error)
        if (place === undefined) return
        const message = t('faults.service', { message: error.message })
        found.say(place.step, { fieldId: place.fieldId, message })
        goTo(place.step)
      },
    })
  }
  return { kept, draft, found, save, reached, at, shown, goTo, leaveTo, send }
}

type SourceFormState = ReturnType<typeof useSourceForm>

/** Where in the form the service found something wrong. */
function refusedPlace(error: Error): ReturnType<typeof placeOf> {
  return error instanceof ApiError && [400, 409].includes(error.status)
    ? placeOf(error.field ?? '')
    : undefined
}

/** The whole of the form; its step is in the address. */
export function SourceForm({ current, step }: { current: SavedSource | null; step: FormStep | undefined }) {
  const form = useSourceForm(current, step)
  const { kept, draft, found, save, at, shown, goTo } = form
  const [example, setExample] = useState<Example>()
  // There by the last step, which would begin with a button that cannot be pressed.
  usePrefetchQuery(knownMetricsQuery)
  const question = useUnsavedGuard(kept.isDirty && !save.isSuccess)
  const secret = save.data?.source.signing_secret
  if (save.data !== undefined && secret !== undefined) {
    const { source_id, name } = save.data.source
    return <SavedWithSecret name={name} secret={secret} onDone={() => form.leaveTo(source_id)} />
  }
  const View = stepViews[shown]
  return (
    <Page>
      {question}
      <FormHead current={current} keptAt={kept.keptAt} />
      <FormSteps form={form} />
      {kept.wasKept && (
        <KeptNote
          onDiscard={() => {
            kept.discard()
            focusLater(stepHeadingId)
          }}
        />
      )}
      {current !== null && <Conflict current={current} draft={draft} change={kept.change} />}
      <ErrorSummary {...found.summaryOf(shown)} />
      <StepBody key={shown}>
        <View
          sourceId={current?.source.source_id ?? null}
          draft={draft}
          change={kept.change}
          faultOf={found.faultOf}
          example={example}
          onExample={setExample}
          onStep={goTo}
        />
      </StepBody>
      {save.error !== null && <SaveFailure error={save.error} />}
      <Footer
        at={at}
        current={current}
        draft={draft}
        isSaving={save.isPending}
        onBack={() => goTo(formSteps[at - 1]!)}
        onNext={() => {
          if (found.check([shown]) === undefined) goTo(formSteps[at + 1]!)
        }}
        onSave={form.send}
      />
    </Page>
  )
}

function FormSteps({ form: { found, at, reached, goTo } }: { form: SourceFormState }) {
  const { t } = useTranslation('sources')
  return (
    <Steps
      label={t('form.steps')}
      steps={formSteps.map((key, index) => ({
        key,
        label: t(`steps.${key}`),
        state: index === at ? 'current' : found.isWrong(key) ? 'wrong' : index <= reached ? 'done' : 'open',
      }))}
      onStep={(key) => goTo(key as FormStep)}
    />
  )
}

/** How far a draft from before had come. */
function firstOpen(wasKept: boolean, draft: Draft): number {
  if (!wasKept) return 0
  const wrong = findFaults(draft)[0]?.step
  return wrong === undefined ? formSteps.length - 1 : formSteps.indexOf(wrong)
}

function FormHead({ current, keptAt }: { current: SavedSource | null; keptAt: string | undefined }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const { company_id } = useCompany()
  const name = current?.source.name
  const kept = keptAt === undefined ? t('form.willBeKept') : t('form.kept', { time: format.time(keptAt) })
  return (
    <PageHead
      title={name === undefined ? t('new') : <bdi>{name}</bdi>}
      tab={name ?? t('new')}
      line={
        current === null ? kept : `${t('form.changing', { version: current.version.shape_version })} ${kept}`
      }
      path={
        <Path>
          <Link to="/companies/$companyId/sources" params={{ companyId: company_id }}>
            {t('title')}
          </Link>
          {name === undefined ? (
            t('new')
          ) : (
            <span>
              <bdi>{name}</bdi>, {t('form.newVersion')}
            </span>
          )}
        </Path>
      }
      actions={
        <ButtonLink to="/companies/$companyId/sources" params={{ companyId: company_id }}>
          {t('form.leave')}
        </ButtonLink>
      }
    />
  )
}

function KeptNote({ onDiscard }: { onDiscard: () => void }) {
  const { t } = useTranslation('sources')
  return (
    <Note
      title={t('form.continued')}
      action={
        <Button small onClick={onDiscard}>
          {t('form.discard')}
        </Button>
      }
    >
      {t('form.continuedText')}
    </Note>
  )
}

/** What the service refused; where it names a field, that is said there. */
function SaveFailure({ error }: { error: Error }) {
  const { t } = useTranslation('sources')
  if (error instanceof ApiError) {
    if (savedMeanwhile(error.details) !== undefined) return null
    if (refusedPlace(error) !== undefined) return null
  }
  return <Failure error={error} title={t('form.notSaved')} />
}

/** A step that takes another's place has the focus. */
function StepBody({ children }: { children: ReactNode }) {
  useEffect(() => {
    // An error summary has it, or the page's title, which came with it.
    if (document.activeElement === document.body || document.activeElement?.closest('nav, footer') != null) {
      document.getElementById(stepHeadingId)?.focus({ preventScroll: true })
    }
  }, [])
  return <div className={classes.body}>{children}</div>
}

function Footer({
  at,
  current,
  draft,
  isSaving,
  onBack,
  onNext,
  onSave,
}: {
  at: number
  current: SavedSource | null
  draft: Draft
  isSaving: boolean
  onBack: () => void
  onNext: () => void
  onSave: () => void
}) {
  const { t } = useTranslation('sources')
  const { company_id } = useCompany()
  const navigate = useNavigate()
  const isLast = at === formSteps.length - 1
  const leave = (): void =>
    void navigate({
      to: '/companies/$companyId/sources',
      params: { companyId: company_id },
      ignoreBlocker: true,
    })
  return (
    <footer className={classes.foot}>
      {at > 0 && <Button onClick={onBack}>{t('form.back')}</Button>}
      <Buttons end>
        <Button onClick={leave}>{t('form.keep')}</Button>
        {(isLast || current !== null) && (
          <Button variant={isLast ? 'primary' : 'secondary'} busy={isSaving} onClick={onSave}>
            {saveLabel(t, current, draft)}
          </Button>
        )}
        {!isLast && (
          <Button variant="primary" onClick={onNext}>
            {t('form.next')}
          </Button>
        )}
      </Buttons>
    </footer>
  )
}

/** A version is made where the declaration is another. */
function saveLabel(
  t: ReturnType<typeof useTranslation<'sources'>>['t'],
  current: SavedSource | null,
  draft: Draft,
): string {
  if (current === null) return t('form.make')
  const before = draftOf(current)
  const { name, system_kind, delivery_way, document_form } = before
  const isVersion =
    JSON.stringify(bodyOf(before)) !==
    JSON.stringify(bodyOf({ ...draft, name, system_kind, delivery_way, document_form }))
  return isVersion ? t('form.saveVersion', { version: current.version.shape_version + 1 }) : t('form.save')
}

/** After the save that made it a webhook source. */
function SavedWithSecret({ name, secret, onDone }: { name: string; secret: string; onDone: () => void }) {
  const { t } = useTranslation('sources')
  const [isKept, setIsKept] = useState(false)
  return (
    <Page width="form">
      <PageHead title={<bdi>{name}</bdi>} tab={name} line={t('form.saved')} />
      <Card>
        <Section title={t('secrets.secret')}>
          <SecretOnce secret={secret} isKept={isKept} onKept={setIsKept} />
          <Buttons>
            <Button variant="primary" disabled={!isKept} onClick={onDone}>
              {t('secrets.toQuickStart')}
            </Button>
          </Buttons>
        </Section>
      </Card>
    </Page>
  )
}
