import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMember } from '../session/member.ts'
import { IconButton } from '../ui/controls/button.tsx'
import { DemoBadge } from '../ui/display/demo-badge.tsx'
import { useModal } from '../ui/overlays/dialog.tsx'
import { DrawerPlace, useMedia } from '../ui/overlays/drawer.tsx'
import type { Company } from '../company/company.ts'
import { useCurrentCompany } from './current-company.ts'
import { holdKeys } from './early-keys.ts'
import classes from './frame.module.css'
import { ownPages, sectionAt, sectionsFor } from './sections.ts'
import { Side } from './side.tsx'
import sideClasses from './side.module.css'
import { useKeys } from './use-keys.ts'

const Palette = lazy(() => import('./palette.tsx').then(({ Palette }) => ({ default: Palette })))
const KeysDialog = lazy(() => import('./keys-dialog.tsx').then(({ KeysDialog }) => ({ default: KeysDialog })))

type Overlay = 'palette' | 'keys' | 'side' | undefined

/** What lies over the page, until the person goes to another one. */
function useOverlay(pathname: string): [Overlay, (overlay: Overlay) => void] {
  const [state, setState] = useState<{ overlay: Overlay; at: string }>()
  return [
    state?.at === pathname ? state.overlay : undefined,
    (overlay) => setState({ overlay, at: pathname }),
  ]
}

/** From this width on, the side fits next to the page. */
const wide = '(min-width: 64em)'

/** The frame of a signed-in member's pages: the side, overlays, and a place for drawers. */
export function Frame() {
  const { t } = useTranslation()
  const company = useCurrentCompany(useMember())
  const pathname = useLocation({ select: ({ pathname }) => pathname })
  const [overlay, setOverlay] = useOverlay(pathname)
  const [drawerPlace, setDrawerPlace] = useState<HTMLElement | null>(null)
  const isWide = useMedia(wide)
  const main = useRef<HTMLElement>(null)
  const onSearch = (): void => {
    // What is typed until the search has loaded belongs to it.
    holdKeys()
    setOverlay('palette')
  }
  const onClose = (): void => setOverlay(undefined)
  const navigate = useNavigate()
  useKeys({
    onSearch,
    onHelp: () => setOverlay('keys'),
    onGo: (letter) => {
      const section = company && sectionsFor(company.role).find((each) => each.letter === letter)
      if (section !== undefined) void navigate({ to: section.to, params: { companyId: company!.company_id } })
    },
  })

  return (
    <DrawerPlace value={drawerPlace}>
      <div className={classes.frame}>
        <a
          href="#content"
          className={classes.skip}
          onClick={(event) => {
            event.preventDefault()
            main.current?.focus()
          }}
        >
          {t('frame.skip')}
        </a>
        {isWide ? (
          <header className={sideClasses.side}>
            <Side company={company} onSearch={onSearch} />
          </header>
        ) : (
          <Bar company={company} onMenu={() => setOverlay('side')} onSearch={onSearch} />
        )}
        <div className={classes.body}>
          <main ref={main} id="content" tabIndex={-1} className={classes.main}>
            <Outlet />
          </main>
          <div ref={setDrawerPlace} />
        </div>
      </div>
      {overlay === 'side' && !isWide && (
        <SideDrawer company={company} onClose={onClose} onSearch={onSearch} />
      )}
      <Suspense>
        {overlay === 'palette' && <Palette company={company} onClose={onClose} />}
        {overlay === 'keys' && <KeysDialog company={company} onClose={onClose} />}
      </Suspense>
    </DrawerPlace>
  )
}

/** The top of a narrow screen. */
function Bar({
  company,
  onMenu,
  onSearch,
}: {
  company: Company | undefined
  onMenu: () => void
  onSearch: () => void
}) {
  const { t } = useTranslation()
  const pathname = useLocation({ select: ({ pathname }) => pathname })
  const { identity } = useMember()
  const page = sectionAt(pathname) ?? ownPages.find(({ to }) => pathname.startsWith(to))
  return (
    <header className={classes.bar}>
      <IconButton icon="menu" label={t('frame.menu')} onClick={onMenu} />
      <div className={classes.where}>
        <b>
          <bdi>{company?.name ?? 'Numera'}</bdi>
        </b>
        {page !== undefined && <span className="small">{t(`frame.${page.name}`)}</span>}
      </div>
      {identity.demo && <DemoBadge />}
      <IconButton icon="search" label={t('frame.search')} onClick={onSearch} />
    </header>
  )
}

/** The side, over the page of a narrow screen. */
function SideDrawer({
  onClose,
  ...side
}: {
  company: Company | undefined
  onClose: () => void
  onSearch: () => void
}) {
  const { t } = useTranslation()
  const modal = useModal(onClose)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape does the same
    <dialog
      {...modal}
      className={sideClasses.side}
      aria-label={t('frame.menu')}
      onClick={({ target, currentTarget }) => {
        // On the backdrop, or on a link, which may lead to the current page.
        if (target === currentTarget || (target as HTMLElement).closest('a') !== null) onClose()
      }}
    >
      <Side {...side} />
    </dialog>
  )
}
