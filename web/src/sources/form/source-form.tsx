import { usePrefetchQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { knownMetricsQuery } from '../../company/lists.ts'
import { useFormat } from '../../company/use-format.ts'
import { useLinks } from '../../company/use-links.ts'
import { Button, Buttons } from '../../ui/controls/button.tsx'
import { ButtonLink } from '../../ui/controls/button-link.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { ErrorSummary } from '../../ui/feedback/error-summary.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Note } from '../../ui/feedback/note.tsx'
import { Page, Stack } from '../../ui/layout/page.tsx'
import { PageHead, Path } from '../../ui/layout/page-head.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { Steps } from '../../ui/layout/steps.tsx'
import { useUnsavedGuard } from '../../ui/overlays/unsaved-guard.tsx'
import type { SavedSource } from '../declaration.ts'
import { focusLater } from '../focus-later.ts'
import { SecretOnce } from '../secret-once.tsx'
import { type FormStep, formSteps } from '../sources-search.ts'
import { AsIfSent } from './as-if-sent.tsx'
import { Conflict } from './conflict.tsx'
import { type Draft, emptyDraft, toBody, toDraft } from './draft.ts'
import { findFaults } from './find-faults.ts'
import type { Example } from './form-state.ts'
import classes from './source-form.module.css'
import { stepHeadingId } from './step-card.tsx'
import { ChannelStep } from './step-channel.tsx'
import { DeliversStep } from './step-delivers.tsx'
import { FieldsStep } from './step-fields.tsx'
import { MetricsStep } from './step-metrics.tsx'
import { NameStep } from './step-name.tsx'
import { TimeStep } from './step-time.tsx'
import { useDraft } from './use-draft.ts'
import { useFaults } from './use-faults.ts'
import { getConflict, getRefusedPlace, useSave } from './use-save.ts'

const stepViews = {
  name: NameStep,
  channel: ChannelStep,
  fields: FieldsStep,
  time: TimeStep,
  delivers: DeliversStep,
  metrics: MetricsStep,
} as const

const lastStep = formSteps.length - 1

interface FormProps {
  /** Null for a new source. */
  current: SavedSource | null
  step: FormStep | undefined
  /** A delivery that is previewed as if it were sent with the draft. */
  artifactId?: string | undefined
}

/** The saved source as a draft; a new one once it is saved by another member. */
function useStart(current: SavedSource | null): Draft {
  const [start, setStart] = useState(() => (current === null ? emptyDraft : toDraft(current)))
  if (current === null || current.source.revision === start.revision) return start
  const renewed = toDraft(current)
  setStart(renewed)
  return renewed
}

/** How many steps a draft of an earlier visit had completed. */
function countCompleted(draft: Draft): number {
  const step = findFaults(draft)[0]?.step
  return step === undefined ? lastStep : formSteps.indexOf(step)
}

/** The state of the form: its draft, its step, and its actions. */
function useSourceForm({ current, step }: FormProps) {
  const links = useLinks()
  const navigate = useNavigate()
  const stored = useDraft(current?.source.source_id ?? null, useStart(current))
  const { draft, wasStored, end } = stored
  const faults = useFaults(draft)
  const save = useSave(current)
  const [reached, setReached] = useState(() =>
    current === null ? (wasStored ? countCompleted(draft) : 0) : lastStep,
  )
  const at = Math.min(step === undefined ? 0 : formSteps.indexOf(step), reached)
  const shown = formSteps[at]!
  const goTo = (to: FormStep): void => {
    setReached((reached) => Math.max(reached, formSteps.indexOf(to)))
    void navigate({ to: '.', search: (search: object) => ({ ...search, step: to }) })
  }
  const leaveTo = (sourceId: string, isNew = false): void => {
    const to = isNew ? links.sourceStart(sourceId) : links.source(sourceId)
    void navigate({ ...to, ignoreBlocker: true })
  }
  const continueForm = (): void => {
    if (faults.check([shown]) === undefined) goTo(formSteps[at + 1]!)
  }
  const send = (): void => {
    const wrong = faults.check(formSteps)
    if (wrong !== undefined) return wrong === shown ? undefined : goTo(wrong)
    save.mutate(draft, {
      onSuccess: ({ source_id, signing_secret }) => {
        end()
        if (signing_secret === undefined) leaveTo(source_id)
      },
      onError: (error) => {
        const place = getRefusedPlace(error)
        if (place === undefined) return
        faults.refuse(place, error.message)
        goTo(place.step)
      },
    })
  }
  return { ...stored, current, faults, save, reached, at, shown, goTo, leaveTo, continueForm, send }
}

type Form = ReturnType<typeof useSourceForm>

/** Creates or changes a source. The address keeps the step. */
export function SourceForm(props: FormProps) {
  const form = useSourceForm(props)
  const { artifactId } = props
  const { current, draft, change, faults, save, shown } = form
  const [example, setExample] = useState<Example>()
  // Loaded by the last step, whose button would be disabled without them.
  usePrefetchQuery(knownMetricsQuery)
  const question = useUnsavedGuard(form.isDirty && !save.isSuccess)
  const { source_id = '', name = '', signing_secret: secret } = save.data ?? {}
  if (secret !== undefined) {
    return <SavedWithSecret name={name} secret={secret} onDone={() => form.leaveTo(source_id, true)} />
  }
  const Step = stepViews[shown]
  return (
    <Page>
      {question}
      <FormHead form={form} />
      <FormSteps form={form} />
      {form.wasStored && <StoredNote form={form} />}
      {current !== null && draft.revision !== current.source.revision && (
        <Conflict current={current} draft={draft} change={change} />
      )}
      <ErrorSummary {...faults.getSummary(shown)} />
      {current !== null && artifactId !== undefined && (
        <AsIfSent sourceId={current.source.source_id} draft={draft} artifactId={artifactId} />
      )}
      <StepBody key={shown}>
        <Step
          sourceId={current?.source.source_id ?? null}
          draft={draft}
          change={change}
          getFault={faults.getFault}
          example={example}
          artifactId={artifactId}
          onExample={setExample}
          onStep={form.goTo}
        />
      </StepBody>
      {save.error !== null && <SaveFailure error={save.error} />}
      <FormFoot form={form} />
    </Page>
  )
}

function FormSteps({ form: { faults, at, reached, goTo } }: { form: Form }) {
  const { t } = useTranslation('sources')
  return (
    <Steps
      label={t('form.steps')}
      steps={formSteps.map((key, index) => ({
        key,
        label: t(`steps.${key}`),
        state: index === at ? 'current' : faults.isWrong(key) ? 'wrong' : index <= reached ? 'done' : 'open',
      }))}
      onStep={(key) => goTo(key as FormStep)}
    />
  )
}

function FormHead({ form: { current, storedAt } }: { form: Form }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const { sources } = useLinks()
  const name = current?.source.name
  const stored =
    storedAt === undefined ? t('form.willBeKept') : t('form.kept', { time: format.time(storedAt) })
  const version = current && t('form.changing', { version: current.version.shape_version })
  const path = (
    <Path>
      <Link {...sources}>{t('title')}</Link>
      <span>{name === undefined ? t('new') : <NewVersion name={name} />}</span>
    </Path>
  )
  return (
    <PageHead
      title={<bdi>{name ?? t('new')}</bdi>}
      tab={name ?? t('new')}
      line={[version, stored].filter(Boolean).join(' ')}
      path={path}
      actions={<ButtonLink {...sources}>{t('form.leave')}</ButtonLink>}
    />
  )
}

function NewVersion({ name }: { name: string }) {
  const { t } = useTranslation('sources')
  return (
    <>
      <bdi>{name}</bdi>, {t('form.newVersion')}
    </>
  )
}

function StoredNote({ form: { discard } }: { form: Form }) {
  const { t } = useTranslation('sources')
  const onDiscard = (): void => {
    discard()
    focusLater(stepHeadingId)
  }
  const action = (
    <Button small onClick={onDiscard}>
      {t('form.discard')}
    </Button>
  )
  return (
    <Note title={t('form.continued')} action={action}>
      {t('form.continuedText')}
    </Note>
  )
}

/** Why a save failed, where neither a control nor the conflict says so. */
function SaveFailure({ error }: { error: Error }) {
  const { t } = useTranslation('sources')
  if (getConflict(error) !== undefined || getRefusedPlace(error) !== undefined) return null
  return <Failure error={error} title={t('form.notSaved')} />
}

/** Focuses a step's heading when the step replaces another. */
function StepBody({ children }: { children: ReactNode }) {
  useEffect(() => {
    // Otherwise an error summary has the focus, or the page's title on the first visit.
    if (document.activeElement === document.body || document.activeElement?.closest('nav, footer') != null) {
      document.getElementById(stepHeadingId)?.focus({ preventScroll: true })
    }
  }, [])
  return <Stack>{children}</Stack>
}

function FormFoot({ form: { at, current, draft, save, goTo, continueForm, send } }: { form: Form }) {
  const { t } = useTranslation('sources')
  const { sources } = useLinks()
  const navigate = useNavigate()
  const isLast = at === lastStep
  const leave = (): void => void navigate({ ...sources, ignoreBlocker: true })
  return (
    <footer className={classes.foot}>
      {at > 0 && <Button onClick={() => goTo(formSteps[at - 1]!)}>{t('form.back')}</Button>}
      <Buttons end>
        <Button onClick={leave}>{t('form.keep')}</Button>
        {(isLast || current !== null) && (
          <Button variant={isLast ? 'primary' : 'secondary'} busy={save.isPending} onClick={send}>
            {current === null ? t('form.create') : <SaveLabel current={current} draft={draft} />}
          </Button>
        )}
        {!isLast && (
          <Button variant="primary" onClick={continueForm}>
            {t('form.next')}
          </Button>
        )}
      </Buttons>
    </footer>
  )
}

/** A changed declaration is saved as a new version. */
function SaveLabel({ current, draft }: { current: SavedSource; draft: Draft }) {
  const { t } = useTranslation('sources')
  const before = toDraft(current)
  const { name, system_kind, channel, format } = before
  const withSettings = { ...draft, name, system_kind, channel, format }
  const isVersion = JSON.stringify(toBody(before)) !== JSON.stringify(toBody(withSettings))
  return isVersion ? t('form.saveVersion', { version: current.version.shape_version + 1 }) : t('form.save')
}

/** Follows the save that made it a webhook source. */
function SavedWithSecret({ name, secret, onDone }: { name: string; secret: string; onDone: () => void }) {
  const { t } = useTranslation('sources')
  return (
    <Page width="form">
      <PageHead title={<bdi>{name}</bdi>} tab={name} line={t('form.saved')} />
      <Card>
        <Section title={t('secrets.secret')}>
          <SecretOnce secret={secret}>
            {(shown, isStored) => (
              <>
                {shown}
                <Buttons>
                  <Button variant="primary" disabled={!isStored} onClick={onDone}>
                    {t('secrets.toQuickStart')}
                  </Button>
                </Buttons>
              </>
            )}
          </SecretOnce>
        </Section>
      </Card>
    </Page>
  )
}
