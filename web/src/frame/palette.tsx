import { createLink } from '@tanstack/react-router'
import { type AnchorHTMLAttributes, type KeyboardEvent, type ReactNode, type Ref, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Company, may } from '../company/company.ts'
import { useModal } from '../ui/dialog.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { controlKey, Key } from '../ui/keys.tsx'
import { type PaletteGroup, type PaletteItem, usePaletteGroups } from './palette-items.ts'
import classes from './palette.module.css'

/** What was sought, marked where it stands. */
function Marked({ text, sought }: { text: string; sought: string }): ReactNode {
  const lower = text.toLowerCase()
  // Of a few letters (İ) the small one is longer: places in it are none in the text.
  const at = sought === '' || lower.length !== text.length ? -1 : lower.indexOf(sought.toLowerCase())
  if (at < 0) return <bdi>{text}</bdi>
  return (
    <bdi>
      {text.slice(0, at)}
      <mark className={classes.match}>{text.slice(at, at + sought.length)}</mark>
      {text.slice(at + sought.length)}
    </bdi>
  )
}

function ResultAnchor({
  icon,
  isFirst,
  children,
  ...rest
}: Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'className'> & {
  icon: IconName
  isFirst: boolean
  ref?: Ref<HTMLAnchorElement>
}) {
  return (
    <a {...rest} className={`${classes.result} ${isFirst ? classes.first : ''}`}>
      <Icon name={icon} />
      <span className={classes.words}>{children}</span>
    </a>
  )
}

const ResultLink = createLink(ResultAnchor)

/**
 * Arrow keys go along the links, a letter goes on with the text, and Enter in the field opens the first link, with Ctrl in a new
 * tab, as a link itself does.
 */
function onKeyDown(event: KeyboardEvent<HTMLDialogElement>): void {
  const input = event.currentTarget.querySelector('input')!
  const links = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>('a')]
  const at = links.indexOf(document.activeElement as HTMLAnchorElement)
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    // The first is the field's own.
    const next = Math.max(at, 0) + (event.key === 'ArrowDown' ? 1 : -1)
    if (next <= 0) input.focus()
    else links[Math.min(next, links.length - 1)]?.focus()
  } else if (event.key === 'Enter' && at < 0 && !event.nativeEvent.isComposing) {
    event.preventDefault()
    const [first] = links
    if (first === undefined) return
    if (event.ctrlKey || event.metaKey) open(first.href, '_blank', 'noreferrer')
    else first.click()
  } else if (at >= 0 && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
    input.focus()
  }
}

/**
 * Finds pages, companies, sources, connections and metrics by name, and a delivery by its id. What is found are links:
 * the arrow keys go along them, and a letter goes on with the text.
 */
export function Palette({ company, onClose }: { company: Company | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  const modal = useModal(onClose)
  const [text, setText] = useState('')
  const groups = usePaletteGroups(company, text)
  const count = groups.reduce((sum, { items }) => sum + items.length, 0)

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hears its field and its links
    <dialog
      {...modal}
      className={classes.palette}
      aria-label={t('palette.title')}
      onKeyDown={onKeyDown}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget || (target as HTMLElement).closest('a') !== null) onClose()
      }}
    >
      <div className={classes.top}>
        <Icon name="search" />
        <input
          // Of a `search` field, Escape empties it first; here it closes.
          type="text"
          role="searchbox"
          enterKeyHint="go"
          className={classes.input}
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          placeholder={t('palette.field')}
          aria-label={t('palette.field')}
          value={text}
          onChange={({ currentTarget: { value } }) => setText(value)}
        />
        <Key>Esc</Key>
      </div>
      <p role="status" className="unseen">
        {text !== '' && (count === 0 ? t('palette.nothing') : t('palette.found', { count }))}
      </p>
      <Results groups={groups} sought={text.trim()} />
      <Foot takesIds={company !== undefined && may(company.role, 'developer')} />
    </dialog>
  )
}

/** @param takesIds whether the id of a delivery leads to it */
function Foot({ takesIds }: { takesIds: boolean }) {
  const { t } = useTranslation()
  return (
    <div className={classes.foot}>
      <span className={classes.keysOnly}>
        <Key>
          <Icon name="arrowUp" size={12} />
        </Key>{' '}
        <Key>
          <Icon name="arrowDown" size={12} />
        </Key>{' '}
        {t('palette.choose')}
      </span>
      <span className={classes.keysOnly}>
        <Key>Enter</Key> {t('palette.open')}
      </span>
      <span className={classes.keysOnly}>
        <Key>{controlKey}</Key> <Key>Enter</Key> {t('palette.newTab')}
      </span>
      {takesIds && <span>{t('palette.paste')}</span>}
    </div>
  )
}

function Results({ groups, sought }: { groups: PaletteGroup[]; sought: string }) {
  const { t } = useTranslation()
  return (
    <div className={classes.results}>
      {groups.length === 0 && <p className={classes.nothing}>{t('palette.nothing')}</p>}
      {groups.map(({ title, items }, groupAt) => (
        <section key={title} aria-label={title}>
          <h2 className={classes.group}>{title}</h2>
          <ul className={classes.list}>
            {items.map((item, at) => (
              <li key={item.key}>
                <Result item={item} sought={sought} isFirst={groupAt === 0 && at === 0} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Result({ item, sought, isFirst }: { item: PaletteItem; sought: string; isFirst: boolean }) {
  return (
    <ResultLink
      to={item.to}
      params={item.params ?? {}}
      search={item.search ?? {}}
      icon={item.icon}
      isFirst={isFirst}
    >
      <Marked text={item.label} sought={sought} />
      {item.about !== undefined && (
        <span className={classes.about}>
          <bdi>{item.about}</bdi>
        </span>
      )}
    </ResultLink>
  )
}
