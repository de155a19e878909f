import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiRequest } from '../api/call-api.ts'
import { addTexts, useLanguage } from '../language/language.ts'
import { en } from '../language/en/links.ts'
import { sv } from '../language/sv/links.ts'
import { useWrite } from '../session/use-write.ts'
import { Button } from '../ui/controls/button.tsx'
import { SelectField } from '../ui/controls/select.tsx'
import { TextField } from '../ui/controls/field.tsx'
import { SecretField } from '../ui/display/copy.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { Stack } from '../ui/layout/page.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { useCompany } from './company.ts'
import { companyKey } from './lists.ts'

addTexts('links', { en, sv })

const createLink = 'POST /console/companies/{company_id}/links'
/** A report as a link carries it. */
export type SpreadsheetReport = NonNullable<ApiRequest<typeof createLink>['body']['report']>

const dayChoices = [30, 90, 365, 400] as const

/**
 * Makes a read-only link: to a feed, or with a report to a live spreadsheet. Its address is shown once.
 *
 * @param props.about what of the report it shows
 */
export function CreateLink({
  report,
  suggestedName,
  about,
  onClose,
}: {
  report: SpreadsheetReport | null
  suggestedName: string
  about?: ReactNode
  onClose: () => void
}) {
  const { t } = useTranslation('links')
  const { company_id } = useCompany()
  const client = useQueryClient()
  const language = useLanguage() === 'sv' ? 'sv' : 'en'
  const formId = useId()
  const [name, setName] = useState(suggestedName)
  const [days, setDays] = useState('90')
  const [isMissing, setIsMissing] = useState(false)
  const kind = report === null ? 'feed' : 'sheet'
  const make = useWrite(createLink, {
    onSuccess: () => void client.invalidateQueries({ queryKey: companyKey(company_id, 'links') }),
  })
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    setIsMissing(name.trim() === '')
    if (name.trim() === '') return
    make.mutate({ path: { company_id }, body: { kind, name, days: Number(days), language, report } })
  }
  if (make.data !== undefined) return <MadeLink kind={kind} address={make.data.address} onClose={onClose} />
  return (
    <Dialog
      title={t(`${kind}.make`)}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" form={formId} variant="primary" busy={make.isPending}>
            {t('create')}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={onSubmit}>
        <Stack>
          <p>{t(`${kind}.text`)}</p>
          {about}
          <TextField
            id={`${formId}-name`}
            label={t('name')}
            hint={t('nameHint')}
            value={name}
            maxLength={100}
            error={isMissing ? t('nameMissing') : undefined}
            onChange={setName}
          />
          <SelectField
            label={t('ends')}
            value={days}
            options={dayChoices.map((count) => ({ value: String(count), label: t('inDays', { count }) }))}
            onChange={setDays}
          />
          {make.error && <Failure error={make.error} title={t('failed')} />}
        </Stack>
      </form>
    </Dialog>
  )
}

/** The address, and what to do with it. */
function MadeLink({
  kind,
  address,
  onClose,
}: {
  kind: 'feed' | 'sheet'
  address: string
  onClose: () => void
}) {
  const { t } = useTranslation('links')
  const language = useLanguage()
  const googleFormula =
    language === 'sv' ? `=IMPORTDATA("${address}"; ";"; "sv_SE")` : `=IMPORTDATA("${address}")`
  return (
    <Dialog
      title={t(`${kind}.made`)}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('done')}
        </Button>
      }
    >
      <Stack>
        <SecretField label={t('address')} value={address} hint={t('addressHint')} />
        {kind === 'feed' ? (
          <p>{t('feed.use')}</p>
        ) : (
          <>
            <h3>Excel</h3>
            <p>{t('sheet.excel')}</p>
            <h3>Google Sheets</h3>
            <SecretField label={t('sheet.formula')} value={googleFormula} />
            <p>{t('sheet.google')}</p>
            <h3>LibreOffice</h3>
            <p>{t('sheet.libreOffice')}</p>
            <p className="small">{t('sheet.digits')}</p>
          </>
        )}
      </Stack>
    </Dialog>
  )
}
