import { createLink } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Company, may } from '../company/company.ts'
import { useModal } from '../ui/overlays/dialog.tsx'
import { walkLinks } from '../ui/overlays/walk-links.ts'
import { Icon, type IconName } from '../ui/display/icon.tsx'
import { controlKey } from '../ui/display/control-key.ts'
import { releaseKeys } from './early-keys.ts'
import { type PaletteItem, usePaletteGroups } from './palette-items.ts'
import classes from './palette.module.css'

/** Marks the search text where it occurs in a label. */
function Marked({ text, sought }: { text: string; sought: string }): ReactNode {
  const lower = text.toLowerCase()
  // A few letters (İ) are longer in lower case, so that positions differ.
  const at = sought === '' || lower.length !== text.length ? -1 : lower.indexOf(sought.toLowerCase())
  if (at < 0) return <bdi>{text}</bdi>
  return (
    <bdi>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + sought.length)}</mark>
      {text.slice(at + sought.length)}
    </bdi>
  )
}

const ResultLink = createLink(
  ({ icon, children, ...rest }: Omit<ComponentProps<'a'>, 'className'> & { icon: IconName }) => (
    <a {...rest} className={classes.result}>
      <Icon name={icon} />
      <span className={classes.words}>{children}</span>
    </a>
  ),
)

/** What was typed while the search was loading and opening. */
function releaseText(): string {
  return releaseKeys()
    .map(({ key }) => key)
    .join('')
}

/** Searches commands, pages, companies, sources, connections and metrics by name, and deliveries by id. */
export function Palette({ company, onClose }: { company: Company | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  const modal = useModal(onClose)
  const [text, setText] = useState('')
  const groups = usePaletteGroups(company, text)
  const count = groups.reduce((sum, { items }) => sum + items.length, 0)

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of its field and its links
    <dialog
      {...modal}
      className={classes.palette}
      aria-label={t('palette.title')}
      onKeyDown={({ nativeEvent, currentTarget }) => walkLinks(nativeEvent, currentTarget)}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget || (target as HTMLElement).closest('li') !== null) onClose()
      }}
    >
      <div className={classes.entry}>
        <Icon name="search" />
        <input
          // In a field of type search, Escape would clear it first.
          type="text"
          role="searchbox"
          enterKeyHint="go"
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          placeholder={t('palette.field')}
          aria-label={t('palette.field')}
          value={text}
          // From now on the field gets all keys, so that none is lost in between.
          onFocus={() => setText(text + releaseText())}
          onChange={({ currentTarget: { value } }) => setText(value)}
        />
        <kbd>Esc</kbd>
      </div>
      <p role="status" className="unseen">
        {text !== '' && (count === 0 ? t('palette.nothing') : t('palette.found', { count }))}
      </p>
      <div className={classes.results}>
        {groups.length === 0 && <p className={`quiet ${classes.nothing}`}>{t('palette.nothing')}</p>}
        {groups.map(({ title, items }) => (
          <section key={title} aria-label={title}>
            <h2 className="small">{title}</h2>
            <ul className="plain">
              {items.map((item) => (
                <li key={item.key}>
                  <Result item={item} sought={text.trim()} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <Foot acceptsIds={company !== undefined && may(company.role, 'developer')} />
    </dialog>
  )
}

function Result({ item, sought }: { item: PaletteItem; sought: string }) {
  const { icon, label, about } = item
  const content = (
    <>
      <Marked text={label} sought={sought} />
      {about !== undefined && <bdi className={classes.about}>{about}</bdi>}
    </>
  )
  if (item.run !== undefined) {
    return (
      <button type="button" className={classes.result} onClick={item.run}>
        <Icon name={icon} />
        <span className={classes.words}>{content}</span>
      </button>
    )
  }
  const { to, params = {}, search = {} } = item
  return (
    <ResultLink to={to} params={params} search={search} icon={icon}>
      {content}
    </ResultLink>
  )
}

/** @param props.acceptsIds whether a delivery's id leads to it */
function Foot({ acceptsIds }: { acceptsIds: boolean }) {
  const { t } = useTranslation()
  return (
    <div className={`small ${classes.foot}`}>
      <span className={classes.keys}>
        <kbd>
          <Icon name="arrowUp" size={12} />
        </kbd>{' '}
        <kbd>
          <Icon name="arrowDown" size={12} />
        </kbd>{' '}
        {t('palette.choose')}
      </span>
      <span className={classes.keys}>
        <kbd>Enter</kbd> {t('palette.open')}
      </span>
      <span className={classes.keys}>
        <kbd>{controlKey}</kbd> <kbd>Enter</kbd> {t('palette.newTab')}
      </span>
      {acceptsIds && <span>{t('palette.paste')}</span>}
    </div>
  )
}
