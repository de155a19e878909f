import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { useMember } from '../session/member.ts'
import { Button, Buttons } from '../ui/button.tsx'
import { Failure } from '../ui/failure.tsx'
import { TextArea } from '../ui/field.tsx'
import { LiveRegion } from '../ui/live.tsx'
import { Note } from '../ui/note.tsx'
import { Section } from '../ui/section.tsx'
import { addFields, type Draft } from './draft.ts'
import { ExampleWarnings } from './example-warnings.tsx'
import { firstRows } from './first-rows.ts'
import { focusLater } from './focus-later.ts'
import type { Example, ExampleInput, ReadExample, StepProps } from './form-state.ts'
import classes from './source-form.module.css'
import { StepHeading } from './step-heading.tsx'

/** As the service takes it. */
const exampleBytesMax = 8 * 1024 * 1024

/** A longer text that is pasted is read at once: a field with so many lines would stand still for seconds. */
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

/** The fields that it proposes, and what else it says of how the source delivers. */
function takeExample(draft: Draft, read: ReadExample, replaces: boolean): Draft {
  const base = replaces ? { ...draft, fields: [], event_time: '' } : draft
  const known = new Set(base.fields.map(({ name }) => name))
  const added = addFields(
    base,
    read.fields.filter(({ name }) => !known.has(name)),
    read.event_time,
  )
  const isFile = read.format === 'csv' || (draft.delivery_way === 'push' && read.format !== 'json')
  return draft.document_form === '' && isFile ? { ...added, document_form: read.format } : added
}

let examples = 0

function useReadExample({ draft, change, onExample }: StepProps) {
  const { company_id } = useCompany()
  const { csrf_token } = useMember()
  return useMutation({
    mutationFn: async (given: { file: File } | { text: string }): Promise<Example> => {
      const whole = 'file' in given ? given.file : new Blob([given.text])
      const isCut = whole.size > exampleBytesMax
      const sent = isCut ? await firstRows(whole) : whole
      if (sent === undefined) throw new ApiError(413, { code: 'too_large' })
      const input: ExampleInput =
        'text' in given && !isCut ? { text: given.text } : { content_base64: await readBase64(sent) }
      const read = await callApi(
        'POST /console/companies/{company_id}/sources/example',
        { path: { company_id }, body: input },
        csrf_token,
      )
      return { id: ++examples, ...('file' in given && { name: given.file.name }), isCut, input, read }
    },
    onSuccess: (example) => {
      onExample(example)
      // What nobody has typed yet is taken at once.
      if (draft.fields.every(({ name }) => name === '')) {
        change((draft) => takeExample(draft, example.read, true))
      }
    },
  })
}

/** Where an example is pasted or dropped, and what was found in it. */
export function ExampleSection(props: StepProps) {
  const { t } = useTranslation('sources')
  const { example } = props
  const read = useReadExample(props)
  const [isOver, setIsOver] = useState(false)
  const picker = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const take = (file: File | undefined): void => {
    if (file !== undefined && !read.isPending) read.mutate({ file })
  }
  return (
    <Section title={<StepHeading>{t('example.title')}</StepHeading>} line={t('example.line')}>
      <LiveRegion>
        {example !== undefined && t('example.said', { count: example.read.fields.length })}
      </LiveRegion>
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
          take(event.dataTransfer.files[0])
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
            if (!read.isPending) read.mutate({ text: pasted })
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
            take(currentTarget.files?.[0])
            currentTarget.value = ''
          }}
        />
        <Buttons>
          <Button busy={read.isPending} disabled={text.trim() === ''} onClick={() => read.mutate({ text })}>
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
  if (!(error instanceof ApiError)) return <Failure error={error} title={t('example.failed')} />
  if (error.status === 413) {
    return (
      <Note tone="red" role="alert" title={t('example.failed')}>
        {t('example.tooLarge')}
      </Note>
    )
  }
  const { fault, line } = (error.details ?? {}) as { fault?: string; line?: number | null }
  if (error.status !== 400 || fault === undefined)
    return <Failure error={error} title={t('example.failed')} />
  return (
    <Note tone="red" role="alert" title={t('example.failed')}>
      {fault === 'spreadsheet'
        ? t('example.spreadsheet')
        : line == null
          ? t('example.broken', { message: error.message })
          : t('example.brokenAt', { line, message: error.message })}
    </Note>
  )
}

/** What it is, what was found, and taking it where fields were there already. */
function Found({ draft, change, example, onExample }: StepProps & { example: Example }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const { read } = example
  const known = new Set(draft.fields.map(({ name }) => name))
  const missing = read.fields.filter(({ name }) => !known.has(name))
  const take = (replaces: boolean): void => {
    change((draft) => takeExample(draft, read, replaces))
    focusLater(`fields[${replaces ? 0 : draft.fields.length}].name`)
  }
  return (
    <>
      <Note
        icon="check"
        title={t('example.found', {
          name: example.name === undefined ? t('example.pasted') : isolate(example.name),
          format: t(`format.${read.format}`),
        })}
        action={
          <Button
            small
            onClick={() => {
              onExample(undefined)
              focusLater('example')
            }}
          >
            {t('example.forget')}
          </Button>
        }
      >
        {t('example.counts', { rows: format.count(read.rows), fields: format.count(read.fields.length) })}{' '}
        {example.isCut && t('example.cut')} {t('example.notStored')}
      </Note>
      {missing.length > 0 && (
        <Buttons>
          <Button small icon="plus" onClick={() => take(false)}>
            {t('example.add', { count: missing.length })}
          </Button>
          <Button small onClick={() => take(true)}>
            {t('example.replace')}
          </Button>
        </Buttons>
      )}
      <ExampleWarnings warnings={read.warnings} />
    </>
  )
}
