import { Component, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { Card } from './card.tsx'
import { NarrowFrame } from './narrow-frame.tsx'
import { PageTitle } from './page-title.tsx'
import { Section } from './section.tsx'

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

function Broken() {
  const { t } = useTranslation()
  const title = t('problem.brokenTitle')
  return (
    <NarrowFrame>
      <Card>
        <Section>
          <PageTitle tab={title}>{title}</PageTitle>
          <p>{t('problem.brokenText')}</p>
          <div>
            <Button variant="primary" onClick={() => location.reload()}>
              {t('problem.reload')}
            </Button>
          </div>
        </Section>
      </Card>
    </NarrowFrame>
  )
}
