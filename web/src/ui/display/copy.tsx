import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../controls/button.tsx'
import classes from './copy.module.css'
import { Field } from '../controls/field.tsx'
import field from '../controls/field.module.css'

/** How long a button shows the result, in milliseconds. */
const resultMs = 2_000

const icons = { idle: 'copy', copied: 'check', failed: 'warning' } as const

export function useCopy(text: string | (() => string)) {
  const { t } = useTranslation()
  const [state, setState] = useState<keyof typeof icons>('idle')
  useEffect(() => {
    if (state === 'idle') return undefined
    const timer = setTimeout(() => setState('idle'), resultMs)
    return () => clearTimeout(timer)
  }, [state])
  async function copy(): Promise<void> {
    try {
      // There is no clipboard on pages over plain HTTP.
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
      setState('copied')
    } catch {
      setState('failed')
    }
  }
  const result = state === 'idle' ? undefined : t(state === 'copied' ? 'ui.copied' : 'ui.notCopied')
  return { icon: icons[state], result, onClick: () => void copy() }
}

/** Next to the button, so that it is also read out in a dialog. */
function Result({ children }: { children: ReactNode }) {
  return (
    <span role="status" className="unseen">
      {children}
    </span>
  )
}

/**
 * @param props.text a function is called when the button is pressed
 * @param props.label where "Copy" does not say enough
 */
export function CopyButton({
  text,
  label,
  ...look
}: {
  text: string | (() => string)
  label?: string
  small?: boolean
  variant?: 'secondary' | 'quiet'
}) {
  const { t } = useTranslation()
  const { result, ...copy } = useCopy(text)
  return (
    <>
      <Button {...look} {...copy}>
        {result ?? label ?? t('ui.copy')}
      </Button>
      <Result>{result}</Result>
    </>
  )
}

/** Code or data exactly as it is sent or received, with a button that copies it. */
export function CodeBlock({ label, code }: { label: string; code: string }) {
  return (
    <div className={classes.code}>
      <div>
        <span>{label}</span>
        <CopyButton text={code} small />
      </div>
      {/* Scrolled with the arrow keys. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} aria-label={label} role="region">
        <code>{code}</code>
      </pre>
    </div>
  )
}

/** An id, shortened unless `whole`, with a button that copies all of it. */
export function CopyableId({ id, label, whole = false }: { id: string; label: string; whole?: boolean }) {
  const { t } = useTranslation()
  const { result, ...copy } = useCopy(id)
  return (
    <span className={classes.id}>
      <code title={id}>{whole || id.length <= 13 ? id : `${id.slice(0, 8)}…${id.slice(-4)}`}</code>
      <IconButton {...copy} label={t('ui.copyWhat', { what: label })} />
      <Result>{result}</Result>
    </span>
  )
}

/** A secret that is shown once. Focusing it selects all of it. */
export function SecretField({ label, value, hint }: { label: string; value: string; hint?: ReactNode }) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <div className={classes.secret}>
          <input
            {...control}
            readOnly
            className={`${field.input} mono`}
            value={value}
            spellCheck={false}
            autoComplete="off"
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <CopyButton text={value} />
        </div>
      )}
    </Field>
  )
}
