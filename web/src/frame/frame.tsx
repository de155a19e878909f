import { Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMember } from '../session/member.ts'
import { IconButton } from '../ui/button.tsx'
import { DemoBadge } from '../ui/demo-badge.tsx'
import { useModal } from '../ui/dialog.tsx'
import { DrawerPlace, useMedia } from '../ui/drawer.tsx'
import type { Company } from '../company/company.ts'
import { useCurrentCompany } from './current-company.ts'
import classes from './frame.module.css'
import { ownPages, sectionAt } from './sections.ts'
import { Side } from './side.tsx'
import sideClasses from './side.module.css'
import { useKeys } from './use-keys.ts'

const Palette = lazy(() => import('./palette.tsx').then(({ Palette }) => ({ default: Palette })))
const KeysDialog = lazy(() => import('./keys-dialog.tsx').then(({ KeysDialog }) => ({ default: KeysDialog })))

/** What lies over the page. */
type Over = 'palette' | 'keys' | 'side' | undefined

/** What lies over the page, until another page is gone to. */
function useOver(pathname: string): [Over, (over: Over) => void] {
  const [state, setState] = useState<{ over: Over; at: string }>()
  return [state?.at === pathname ? state.over : undefined, (over) => setState({ over, at: pathname })]
}

/** From here on the side stands beside the page. */
const wide = '(min-width: 64em)'

/** What surrounds a page of someone who is signed in: the side, what lies over the page, and a place for drawers. */
export function Frame() {
  const { t } = useTranslation()
  const company = useCurrentCompany(useMember())
  const pathname = useLocation({ select: ({ pathname }) => pathname })
  const [over, setOver] = useOver(pathname)
  const [drawerPlace, setDrawerPlace] = useState<HTMLElement | null>(null)
  const isWide = useMedia(wide)
  const main = useRef<HTMLElement>(null)
  useKeys({ onSearch: () => setOver('palette'), onHelp: () => setOver('keys') })
  const close = (): void => setOver(undefined)

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
          <header className={classes.side}>
            <Side company={company} onSearch={() => setOver('palette')} />
          </header>
        ) : (
          <Bar company={company} onMenu={() => setOver('side')} onSearch={() => setOver('palette')} />
        )}
        <div className={classes.body}>
          <main ref={main} id="content" tabIndex={-1} className={classes.main}>
            <Outlet />
          </main>
          <div ref={setDrawerPlace} />
        </div>
      </div>
      {over === 'side' && !isWide && (
        <SideDrawer company={company} onClose={close} onSearch={() => setOver('palette')} />
      )}
      <Suspense>
        {over === 'palette' && <Palette company={company} onClose={close} />}
        {over === 'keys' && <KeysDialog onClose={close} />}
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
        <bdi className={classes.name}>{company?.name ?? 'Numera'}</bdi>
        {page !== undefined && <span className="small">{t(`frame.${page.name}`)}</span>}
      </div>
      {identity.demo && <DemoBadge />}
      <IconButton icon="search" label={t('frame.search')} onClick={onSearch} />
    </header>
  )
}

/** The side, over the page. */
function SideDrawer({
  company,
  onClose,
  onSearch,
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
      className={sideClasses.drawer}
      aria-label={t('frame.menu')}
      onClick={({ target, currentTarget }) => {
        // Beside it, which is its backdrop, or on a link of it, to the page that is there already too.
        if (target === currentTarget || (target as HTMLElement).closest('a') !== null) onClose()
      }}
    >
      <Side company={company} onSearch={onSearch} />
    </dialog>
  )
}
