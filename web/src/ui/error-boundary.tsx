import { Component, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** Around everything: where a page threw, or could not be loaded, it says so, instead of nothing at all. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasThrown: boolean }> {
  override state = { hasThrown: false }

  static getDerivedStateFromError(): { hasThrown: boolean } {
    return { hasThrown: true }
  }

  override render(): ReactNode {
    return this.state.hasThrown ? <Broken /> : this.props.children
  }
}

/** Needs nothing that would have to be loaded: what comes with the start comes before the pages' own styles. */
export function Broken() {
  const { t } = useTranslation()
  return (
    <main className="broken">
      <title>{`${t('problem.brokenTitle')} · Numera`}</title>
      <h1>{t('problem.brokenTitle')}</h1>
      <p>{t('problem.brokenText')}</p>
      <p>
        <a href={location.href}>{t('problem.reload')}</a>
      </p>
    </main>
  )
}
