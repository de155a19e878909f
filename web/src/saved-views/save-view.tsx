import { type FormEvent, useId, useState } from 'react'
import { useCompany, may } from '../company/company.ts'
import { addTexts, useTexts } from '../language/language.ts'
import { en } from '../language/en/views.ts'
import { sv } from '../language/sv/views.ts'
import { useWrite } from '../session/use-write.ts'
import { Button } from '../ui/controls/button.tsx'
import { Check, Radio } from '../ui/controls/check.tsx'
import { ChoiceGroup, TextField } from '../ui/controls/field.tsx'
import { LiveRegion } from '../ui/feedback/live.tsx'
import { Stack } from '../ui/layout/page.tsx'
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx'
import type { Operand } from './line-text.ts'
import { type SavedView, useRenewViews } from './saved-views.ts'

addTexts('views', { en, sv })

interface SaveViewProps {
  /** The query of the address. */
  search: string
  /** Of a report of one metric. */
  report?: Operand
  /** A first name for it. */
  name: string
  label?: string
  onSaved?: (view: SavedView) => void
}

/** Saves the address of a report under a name, for oneself or for the company. */
export function SaveView(props: SaveViewProps) {
  const t = useTexts('views')
  const [isOpen, setIsOpen] = useState(false)
  const [isSaved, setIsSaved] = useState(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{isSaved ? t('saved') : (props.label ?? t('save'))}</Button>
      <LiveRegion>{isSaved && t('saved')}</LiveRegion>
      {isOpen && (
        <SaveDialog
          {...props}
          onClose={() => setIsOpen(false)}
          onSaved={(view) => {
            setIsOpen(false)
            setIsSaved(true)
            props.onSaved?.(view)
          }}
        />
      )}
    </>
  )
}

function SaveDialog({
  search,
  report,
  name: given,
  onClose,
  onSaved,
}: SaveViewProps & { onClose: () => void; onSaved: (view: SavedView) => void }) {
  const t = useTexts('views')
  const { company_id, role } = useCompany()
  const renew = useRenewViews(company_id)
  const [name, setName] = useState(given)
  const [scope, setScope] = useState<SavedView['for']>('member')
  const [pinned, setPinned] = useState(true)
  const [isMissing, setIsMissing] = useState(false)
  const formId = useId()
  const save = useWrite('POST /console/companies/{company_id}/views', {
    onSuccess: async (view) => {
      await renew()
      onSaved(view)
    },
  })
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    setIsMissing(name.trim() === '')
    if (name.trim() === '' || save.isPending) return
    const body = { for: scope, name: name.trim(), search, pinned, ...(report !== undefined && { report }) }
    save.mutate({ path: { company_id }, body })
  }
  return (
    <ConfirmDialog
      title={t('save')}
      confirm={t('save')}
      variant="primary"
      action={save}
      failed={t('saveFailed')}
      onConfirm={formId}
      onClose={onClose}
    >
      <form id={formId} onSubmit={onSubmit}>
        <Stack>
          <TextField
            data-autofocus
            label={t('name')}
            maxLength={80}
            error={isMissing ? t('nameMissing') : undefined}
            value={name}
            onChange={setName}
          />
          {may(role, 'developer') && (
            <ChoiceGroup label={t('for')}>
              <Radio
                name={`${formId}for`}
                label={t('forMember')}
                checked={scope === 'member'}
                onChoose={() => setScope('member')}
              />
              <Radio
                name={`${formId}for`}
                label={t('forCompany')}
                checked={scope === 'company'}
                onChoose={() => setScope('company')}
              />
            </ChoiceGroup>
          )}
          <Check label={t('pin')} checked={pinned} onChange={setPinned} />
        </Stack>
      </form>
    </ConfirmDialog>
  )
}
