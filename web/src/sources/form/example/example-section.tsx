import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../api/api-error.ts'
import { callApi } from '../../../api/call-api.ts'
import { useCompany } from '../../../company/company.ts'
import { useFormat } from '../../../company/use-format.ts'
import { isolate } from '../../../language/isolate.ts'
import { useMember } from '../../../session/member.ts'
import { Button, Buttons } from '../../../ui/controls/button.tsx'
import { Failure } from '../../../ui/feedback/failure.tsx'
import { TextArea } from '../../../ui/controls/field.tsx'
import { LiveRegion } from '../../../ui/feedback/live.tsx'
import { Note } from '../../../ui/feedback/note.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { focusLater } from '../../focus-later.ts'
import { addFields, type Draft } from '../draft.ts'
import { ExampleWarnings } from './example-warnings.tsx'
import { readFirstRows } from './first-rows.ts'
import type { Example, ExampleInput, ReadExample, StepProps } from '../form-state.ts'
import classes from '../source-form.module.css'
import { StepHeading } from '../step-card.tsx'

/** The service's limit. */
const exampleBytesMax = 8 * 1024 * 1024

/** A longer pasted text is read immediately: the field would take seconds to show it. */
const pastedCharactersMax = 100_000

/** A file's bytes in base64. */
function readBase64(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve((reader.result as string).replace(/^[^,]*,/, '')))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the file was not read')))
    reader.readAsDataURL(file)
  })
}

/** Applies the proposed fields, and the format where the source's files have one. */
function applyExample(draft: Draft, read: ReadExample, replaces: boolean): Draft {
  const base = replaces ? { ...draft, fields: [], event_time: '' } : draft
  const known = new Set(base.fields.map(({ name }) => name))
  const missing = read.fields.filter(({ name }) => !known.has(name))
  const added = addFields(base, missing, read.event_time)
  const isFile = read.format === 'csv' || (draft.channel === 'push' && read.format !== 'json')
  return draft.format === '' && isFile ? { ...added, format: read.format } : added
}

let examples = 0

function useReadExample({ draft, change, onExample }: StepProps) {
  const { company_id } = useCompany()
  const { csrf_token } = useMember()
  return useMutation({
    mutationFn: async (given: File | string): Promise<Example> => {
      const isText = typeof given === 'string'
      const whole = isText ? new Blob([given]) : given
      const isCut = whole.size > exampleBytesMax
      const sent = isCut ? await readFirstRows(whole) : whole
      if (sent === undefined) throw new ApiError(413, { code: 'too_large' })
      const input: ExampleInput =
        isText && !isCut ? { text: given } : { content_base64: await readBase64(sent) }
      const read = await callApi(
        'POST /console/companies/{company_id}/sources/example',
        { path: { company_id }, body: input },
        csrf_token,
      )
      return { id: ++examples, ...(!isText && { name: given.name }), isCut, input, read }
    },
    onSuccess: (example) => {
      onExample(example)
      // Nothing typed is lost.
      if (draft.fields.every(({ name }) => name === '')) {
        change((draft) => applyExample(draft, example.read, true))
      }
    },
  })
}

/** Reads a pasted or dropped example, and shows what it contains. */
export function ExampleSection(props: StepProps) {
  const { t } = useTranslation('sources')
  const { example } = props
  const read = useReadExample(props)
  const [isOver, setIsOver] = useState(false)
  const picker = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const start = (given: File | string | undefined): void => {
    if (given !== undefined && !read.isPending) read.mutate(given)
  }
  return (
    <Section title={<StepHeading>{t('example.title')}</StepHeading>} line={t('example.line')}>
      <LiveRegion>{example && t('example.announced', { count: example.read.fields.length })}</LiveRegion>
      <div
        className={`${classes.drop} ${isOver ? classes.over : ''}`}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setIsOver(false)
          start(event.dataTransfer.files[0])
        }}
      >
        <TextArea
          id="example"
          label={t('example.paste')}
          hint={t('example.hint')}
          code
          rows={4}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text/plain')
            if (pasted.length <= pastedCharactersMax) return
            event.preventDefault()
            start(pasted)
          }}
          value={text}
          onChange={setText}
        />
        <input
          ref={picker}
          type="file"
          hidden
          aria-label={t('example.choose')}
          accept=".csv,.txt,.json,.jsonl,.ndjson,.se,.si,.sie"
          onChange={({ currentTarget }) => {
            start(currentTarget.files?.[0])
            currentTarget.value = ''
          }}
        />
        <Buttons>
          <Button busy={read.isPending} disabled={text.trim() === ''} onClick={() => start(text)}>
            {t('example.read')}
          </Button>
          <Button icon="file" onClick={() => picker.current?.click()}>
            {t('example.choose')}
          </Button>
        </Buttons>
      </div>
      {read.error !== null && <ExampleFailure error={read.error} />}
      {example !== undefined && <Found {...props} example={example} />}
    </Section>
  )
}

function ExampleFailure({ error }: { error: Error }) {
  const { t } = useTranslation('sources')
  const { fault, line } = ((error instanceof ApiError && error.details) || {}) as {
    fault?: string
    line?: number | null
  }
  const status = error instanceof ApiError ? error.status : 0
  const isRead = status === 413 || (status === 400 && fault !== undefined)
  if (!isRead) return <Failure error={error} title={t('example.failed')} />
  const { message } = error
  const broken = line == null ? t('example.broken', { message }) : t('example.brokenAt', { line, message })
  const cause = fault === 'spreadsheet' ? t('example.spreadsheet') : broken
  return (
    <Note tone="red" role="alert" title={t('example.failed')}>
      {status === 413 ? t('example.tooLarge') : cause}
    </Note>
  )
}

/** What the example contains, and buttons that apply it where there were fields before. */
function Found({ draft, change, example, onExample }: StepProps & { example: Example }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const { read } = example
  const known = new Set(draft.fields.map(({ name }) => name))
  const missing = read.fields.filter(({ name }) => !known.has(name))
  const apply = (replaces: boolean): void => {
    change((draft) => applyExample(draft, read, replaces))
    focusLater(`fields[${replaces ? 0 : draft.fields.length}].name`)
  }
  const remove = (): void => {
    onExample(undefined)
    focusLater('example')
  }
  const name = example.name === undefined ? t('example.pasted') : isolate(example.name)
  const [rows, fields] = [read.rows, read.fields.length].map(format.count)
  return (
    <>
      <Note
        icon="check"
        title={t('example.found', { name, format: t(`format.${read.format}`) })}
        action={
          <Button small onClick={remove}>
            {t('example.remove')}
          </Button>
        }
      >
        {t('example.counts', { rows, fields })} {example.isCut && t('example.cut')} {t('example.notStored')}
      </Note>
      {missing.length > 0 && (
        <Buttons>
          <Button small icon="plus" onClick={() => apply(false)}>
            {t('example.add', { count: missing.length })}
          </Button>
          <Button small onClick={() => apply(true)}>
            {t('example.replace')}
          </Button>
        </Buttons>
      )}
      <ExampleWarnings warnings={read.warnings} />
    </>
  )
}
