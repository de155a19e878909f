import { type FormEvent, useId, useState } from 'react'
import { useCompany } from '../company/company.ts'
import { isolate } from '../language/isolate.ts'
import { useTexts } from '../language/language.ts'
import { useWrite } from '../session/use-write.ts'
import { TextField } from '../ui/controls/field.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx'
import { Menu, MenuItem } from '../ui/overlays/popover.tsx'
import { type SavedView, useRenewViews } from './saved-views.ts'

/** Changes a view; reads all of them again also where it fails, since another member may have changed it. */
export function useChangeView(onChanged?: () => void) {
  const { company_id } = useCompany()
  const renew = useRenewViews(company_id)
  const write = useWrite('PATCH /console/companies/{company_id}/views/{view_id}', {
    onSettled: renew,
    ...(onChanged !== undefined && { onSuccess: onChanged }),
  })
  type Change = Omit<Parameters<typeof write.mutate>[0]['body'], 'expected_revision'>
  const change = ({ view_id, revision }: SavedView, to: Change): void =>
    write.mutate({ path: { company_id, view_id }, body: { expected_revision: revision, ...to } })
  return { ...write, change }
}

/** What can be done with a view. @param props.children further items */
export function ViewMenu({
  view,
  children,
  onDeleted,
}: {
  view: SavedView
  children?: React.ReactNode
  onDeleted?: () => void
}) {
  const t = useTexts('views')
  const [open, setOpen] = useState<'rename' | 'delete'>()
  const pin = useChangeView()
  const close = (): void => setOpen(undefined)
  return (
    <>
      <Menu label={t('actions', { name: isolate(view.name) })}>
        {children}
        <MenuItem icon="check" onClick={() => pin.change(view, { pinned: !view.pinned })}>
          {t(view.pinned ? 'unpin' : 'pinFirst')}
        </MenuItem>
        <MenuItem onClick={() => setOpen('rename')}>{t('rename')}</MenuItem>
        <MenuItem danger onClick={() => setOpen('delete')}>
          {t('delete')}
        </MenuItem>
      </Menu>
      {pin.error !== null && <Failure error={pin.error} title={t('changeFailed')} />}
      {open === 'rename' && <Rename view={view} onClose={close} />}
      {open === 'delete' && <Delete view={view} onClose={close} onDeleted={onDeleted ?? close} />}
    </>
  )
}

function Rename({ view, onClose }: { view: SavedView; onClose: () => void }) {
  const t = useTexts('views')
  const [name, setName] = useState(view.name)
  const formId = useId()
  const rename = useChangeView(onClose)
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (name.trim() !== '' && !rename.isPending) rename.change(view, { name: name.trim() })
  }
  return (
    <ConfirmDialog
      title={t('renameTitle')}
      confirm={t('rename')}
      variant="primary"
      action={rename}
      failed={t('changeFailed')}
      onConfirm={formId}
      onClose={onClose}
    >
      <form id={formId} onSubmit={onSubmit}>
        <TextField data-autofocus required label={t('name')} maxLength={80} value={name} onChange={setName} />
      </form>
    </ConfirmDialog>
  )
}

function Delete({
  view,
  onClose,
  onDeleted,
}: {
  view: SavedView
  onClose: () => void
  onDeleted: () => void
}) {
  const t = useTexts('views')
  const { company_id } = useCompany()
  const renew = useRenewViews(company_id)
  const remove = useWrite('DELETE /console/companies/{company_id}/views/{view_id}', {
    onSuccess: async () => {
      onDeleted()
      await renew()
    },
  })
  return (
    <ConfirmDialog
      title={t('deleteTitle', { name: isolate(view.name) })}
      confirm={t('delete')}
      action={remove}
      failed={t('deleteFailed')}
      onConfirm={() => remove.mutate({ path: { company_id, view_id: view.view_id } })}
      onClose={onClose}
    >
      <p>{t(view.for === 'company' ? 'deleteCompanyText' : 'deleteText')}</p>
    </ConfirmDialog>
  )
}
