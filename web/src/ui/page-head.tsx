import { Children, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from './icon.tsx'
import classes from './page-head.module.css'
import { PageTitle } from './page-title.tsx'

/**
 * The top of a page: its path, title, line and actions.
 *
 * @param title the first-level heading; names that others chose go into a `<bdi>`
 * @param tab what the browser's tab says, where it is not the title
 * @param line one sentence under the title
 * @param path see {@link Path}
 */
export function PageHead({
  title,
  tab,
  line,
  path,
  actions,
}: {
  line?: ReactNode
  path?: ReactNode
  actions?: ReactNode
} & ({ title: string; tab?: string } | { title: ReactNode; tab: string })) {
  return (
    <div>
      {path}
      <div className={classes.head}>
        <div className={classes.words}>
          <PageTitle tab={tab ?? (title as string)}>{title}</PageTitle>
          {line !== undefined && <p className={classes.line}>{line}</p>}
        </div>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
    </div>
  )
}

/** Where the page stands: links to what is above it, then itself as text. */
export function Path({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const parts = Children.toArray(children)
  return (
    <nav aria-label={t('ui.path')}>
      <ol className={classes.path}>
        {parts.map((part, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a part has no name but its place
          <li key={index}>
            {index > 0 && <Icon name="right" size={12} />}
            {part}
          </li>
        ))}
      </ol>
    </nav>
  )
}
