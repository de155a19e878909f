import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../controls/button.tsx'
import { Failure } from '../feedback/failure.tsx'
import { Stack } from '../layout/page.tsx'
import { Dialog } from './dialog.tsx'

/**
 * Asks before an action, or collects what it needs.
 *
 * @param props.keep the button that does nothing; "Cancel" by default
 * @param props.confirm the button that acts; without it there is none
 * @param props.variant `primary` where the action can be undone
 * @param props.action the mutation behind it
 * @param props.failed the title of its failure; false where `children` show it
 * @param props.onConfirm the id of a form in `children` that the button submits, or what it does
 */
export function ConfirmDialog({
  title,
  keep,
  confirm,
  variant = 'dangerPrimary',
  action,
  failed,
  onConfirm,
  onClose,
  children,
}: {
  title: ReactNode
  keep?: string
  confirm?: string | false
  variant?: 'primary' | 'dangerPrimary'
  action: { isPending: boolean; error: Error | null }
  failed?: string | false | undefined
  onConfirm: string | (() => void)
  onClose: () => void
  children?: ReactNode
}) {
  const { t } = useTranslation()
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{keep ?? t('ui.cancel')}</Button>
          {confirm !== undefined && confirm !== false && (
            <Button
              variant={variant}
              busy={action.isPending}
              {...(typeof onConfirm === 'string'
                ? { type: 'submit', form: onConfirm }
                : { onClick: onConfirm })}
            >
              {confirm}
            </Button>
          )}
        </>
      }
    >
      <Stack>
        {children}
        {action.error !== null && failed !== false && (
          <Failure error={action.error} {...(failed !== undefined && { title: failed })} />
        )}
      </Stack>
    </Dialog>
  )
}
