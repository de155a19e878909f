import { Component, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** Says that a page threw or could not be loaded, instead of showing nothing. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasThrown: boolean }> {
  override state = { hasThrown: false }

  static getDerivedStateFromError(): { hasThrown: boolean } {
    return { hasThrown: true }
  }

  override render(): ReactNode {
    return this.state.hasThrown ? <Broken /> : this.props.children
  }
}

/** Needs no other script or style, so that it also works before those are loaded. */
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
