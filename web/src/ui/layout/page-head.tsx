import { Children, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../display/icon.tsx'
import classes from './page-head.module.css'
import { PageTitle } from './page-title.tsx'

/**
 * The top of a page: its path, title, line and actions.
 *
 * @param props.title the first-level heading; put names that others chose into a `<bdi>`
 * @param props.tab the title of the browser's tab, where it differs
 * @param props.line one sentence under the title
 * @param props.path see {@link Path}
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
          {line !== undefined && <p className={`quiet ${classes.line}`}>{line}</p>}
        </div>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
    </div>
  )
}

/** Breadcrumbs: links to the pages above, then this page as text. */
export function Path({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <nav aria-label={t('ui.path')}>
      <ol className={`small ${classes.path}`}>
        {Children.map(children, (part, index) => (
          <li>
            {index > 0 && <Icon name="right" size={12} />}
            {part}
          </li>
        ))}
      </ol>
    </nav>
  )
}
