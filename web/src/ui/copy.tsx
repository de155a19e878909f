import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from './button.tsx'
import classes from './copy.module.css'
import { Field } from './field.tsx'

/** How long a button says that it has copied. */
const copiedMs = 2_000

/** Copies text, and says for a moment whether it could. */
function useCopy(text: string | (() => string)): { state: 'idle' | 'copied' | 'failed'; copy: () => void } {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return undefined
    const timer = setTimeout(() => setState('idle'), copiedMs)
    return () => clearTimeout(timer)
  }, [state])
  return {
    state,
    // A browser has no clipboard where the page came over plain HTTP from elsewhere.
    copy: () =>
      void Promise.resolve()
        .then(() => navigator.clipboard.writeText(typeof text === 'string' ? text : text()))
        .then(
          () => setState('copied'),
          () => setState('failed'),
        ),
  }
}

/** Beside the button, so that it is said in a dialog too. */
function Said({ state }: { state: 'idle' | 'copied' | 'failed' }) {
  const { t } = useTranslation()
  return (
    <span role="status" className="unseen">
      {state !== 'idle' && t(state === 'copied' ? 'ui.copied' : 'ui.notCopied')}
    </span>
  )
}

/**
 * Copies a text.
 *
 * @param text where it is a function, what that says when it is pressed, such as the address
 * @param label where "Copy" alone does not say what
 */
export function CopyButton({
  text,
  label,
  small = false,
  variant = 'secondary',
}: {
  text: string | (() => string)
  label?: string
  small?: boolean
  variant?: 'secondary' | 'quiet'
}) {
  const { t } = useTranslation()
  const { state, copy } = useCopy(text)
  return (
    <>
      <Button
        variant={variant}
        small={small}
        icon={state === 'copied' ? 'check' : state === 'failed' ? 'warning' : 'copy'}
        onClick={copy}
      >
        {state === 'idle' ? (label ?? t('ui.copy')) : t(state === 'copied' ? 'ui.copied' : 'ui.notCopied')}
      </Button>
      <Said state={state} />
    </>
  )
}

/**
 * What is sent or received to the letter, with one button that copies all of it.
 *
 * @param label says what it is, above it
 */
export function CodeBlock({ label, code }: { label: string; code: string }) {
  return (
    <div className={classes.block}>
      <div className={classes.bar}>
        <span>{label}</span>
        <CopyButton text={code} small />
      </div>
      {/* Scrolled with the arrow keys. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={classes.code} tabIndex={0} aria-label={label} role="region">
        <code>{code}</code>
      </pre>
    </div>
  )
}

/**
 * An id, shortened in its middle, and copied whole.
 *
 * @param label what it is the id of
 */
export function CopyableId({ id, label, whole = false }: { id: string; label: string; whole?: boolean }) {
  const { t } = useTranslation()
  const { state, copy } = useCopy(id)
  return (
    <span className={classes.id}>
      <code title={id}>{whole || id.length <= 13 ? id : `${id.slice(0, 8)}…${id.slice(-4)}`}</code>
      <IconButton
        icon={state === 'copied' ? 'check' : state === 'failed' ? 'warning' : 'copy'}
        label={t('ui.copyWhat', { what: label })}
        onClick={copy}
      />
      <Said state={state} />
    </span>
  )
}

/** A secret that is shown once: whole, chosen whole by a click, and copied. */
export function SecretField({ label, value, hint }: { label: string; value: string; hint?: ReactNode }) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <div className={classes.secret}>
          <input
            {...control}
            readOnly
            className={classes.value}
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
