import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../../company/company.ts'
import { sourcesQuery } from '../../company/lists.ts'
import { useLinks } from '../../company/use-links.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { Row } from '../../ui/layout/page.tsx'
import { useMedia } from '../../ui/overlays/drawer.tsx'
import { SearchField, TextField } from '../../ui/controls/field.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { type Option, Select, SelectField } from '../../ui/controls/select.tsx'
import {
  callChannels,
  countFilters,
  type DeliveriesSearch,
  deliveryKinds,
  deliveryStates,
  getRange,
  ranges,
  searchCharactersMax,
} from '../deliveries-search.ts'
import { phone } from '../phone.ts'
import classes from './deliveries.module.css'

const route = getRouteApi('/frame/companies/$companyId/deliveries')

/** How long after the last key the typed text is searched for, in milliseconds. */
const typingMs = 250

/** Changes the address's query; what is undefined is removed. */
export function useFilter(): (change: DeliveriesSearch) => void {
  const navigate = useNavigate()
  const { deliveries } = useLinks()
  return (change) => {
    const search = (before: object): object => ({ ...before, ...change })
    void navigate({ ...deliveries, search, replace: true, resetScroll: false })
  }
}

/** Removes every filter from the address; the tab and the sources above the list stay. */
export function useClearFilters(): () => void {
  const filter = useFilter()
  const names = ['source', 'state', 'channel', 'kind', 'range', 'from', 'to', 'search'] as const
  return () => filter(Object.fromEntries(names.map((name) => [name, undefined])))
}

type Listed = 'source' | 'state' | 'channel' | 'range'

/** The options of a filter. An empty value means all. */
function useOptions(name: Listed): Option<string>[] {
  const { t } = useTranslation('deliveries')
  const { company_id } = useCompany()
  const { source, tab } = route.useSearch()
  const sources = useQuery(sourcesQuery(company_id)).data
  if (name === 'source') {
    const known = sources?.map(({ source_id, name }) => ({ value: source_id, label: name })) ?? []
    const options = [{ value: '', label: t('filters.allSources') }, ...known]
    // An unknown source, or one not loaded yet, filters the list all the same.
    return source === undefined || known.some(({ value }) => value === source)
      ? options
      : [...options, { value: source, label: sources === undefined ? '…' : t('filters.unknownSource') }]
  }
  if (name === 'state') {
    const states = deliveryStates.map((value) => ({ value, label: t(`filters.${value}`) }))
    return [{ value: '', label: t('filters.anyState') }, ...states]
  }
  if (name === 'channel') {
    const channels = callChannels.filter((channel) => tab === 'calls' || channel !== 'read')
    const options = channels.map((value) => ({ value, label: t(`channelName.${value}`) }))
    return [{ value: '', label: t('filters.anyChannel') }, ...options]
  }
  return ranges.map((value) => ({ value, label: t(value === 'all' ? 'filters.ever' : `filters.${value}`) }))
}

const icons = { source: 'source', state: undefined, channel: undefined, range: 'calendar' } as const

/** @param inForm with its label above it */
function FilterSelect({ name, inForm = false }: { name: Listed; inForm?: boolean }) {
  const { t } = useTranslation('deliveries')
  const search = route.useSearch()
  const options = useOptions(name)
  const filter = useFilter()
  const chosen = name === 'range' ? getRange(search) : search[name]
  const control = {
    label: t(`filters.${name}`),
    options,
    value: options.find(({ value }) => value === chosen)?.value ?? '',
    onChange: (value: string) => filter({ [name]: value || undefined } as DeliveriesSearch),
  }
  const icon = icons[name]
  return inForm ? <SelectField {...control} /> : <Select {...control} {...(icon && { icon })} />
}

function KindChoice({ wide = false }: { wide?: boolean }) {
  const { t } = useTranslation('deliveries')
  const { kind = 'all' } = route.useSearch()
  const filter = useFilter()
  return (
    <Segmented
      label={t('filters.kind')}
      wide={wide}
      value={kind}
      options={(['all', ...deliveryKinds] as const).map((value) => ({ value, label: t(`filters.${value}`) }))}
      onChange={(kind) => filter({ kind: kind === 'all' ? undefined : kind })}
    />
  )
}

/** The address follows once the person stops typing, so that not every key is a request. */
function KeySearch() {
  const { t } = useTranslation('deliveries')
  const { search = '' } = route.useSearch()
  const filter = useFilter()
  const [typed, setTyped] = useState(search)
  const [known, setKnown] = useState(search)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  // Changed elsewhere: by going back, or by clearing all filters.
  if (known !== search) {
    setKnown(search)
    if (typed.trim() !== search) setTyped(search)
  }
  const apply = (text: string): void => {
    clearTimeout(timer.current)
    filter({ search: text.trim() || undefined })
  }
  return (
    <SearchField
      label={t('filters.search')}
      value={typed}
      maxLength={searchCharactersMax}
      onChange={(text) => {
        setTyped(text)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => apply(text), typingMs)
      }}
      onKeyDown={({ key }) => key === 'Enter' && apply(typed)}
    />
  )
}

function Days() {
  const { t } = useTranslation('deliveries')
  const { range, from = '', to = '' } = route.useSearch()
  const filter = useFilter()
  if (range !== 'days') return null
  const choose = (name: 'from' | 'to') => (day: string) => filter({ [name]: day || undefined })
  return (
    <div className={classes.days}>
      <TextField type="date" label={t('filters.from')} value={from} max={to} onChange={choose('from')} />
      <TextField type="date" label={t('filters.to')} value={to} min={from} onChange={choose('to')} />
    </div>
  )
}

/** The filters of the list, which the address keeps. */
export function DeliveryFilters() {
  return useMedia(phone) ? <PhoneFilters /> : <WideFilters />
}

function WideFilters() {
  return (
    <>
      <Row>
        <span className={classes.source}>
          <FilterSelect name="source" />
        </span>
        <FilterSelect name="state" />
        <FilterSelect name="channel" />
        <KindChoice />
        <FilterSelect name="range" />
        <span className={classes.search}>
          <KeySearch />
        </span>
      </Row>
      <Days />
    </>
  )
}

function PhoneFilters() {
  const { t } = useTranslation('deliveries')
  const search = route.useSearch()
  const clear = useClearFilters()
  const [isOpen, setOpen] = useState(false)
  const others = countFilters({ ...search, search: undefined })
  const count = others + (getRange(search) === '30d' || search.search !== undefined ? 0 : 1)
  const close = (): void => setOpen(false)
  return (
    <div className={classes.phoneFilters}>
      <KeySearch />
      <Button onClick={() => setOpen(true)}>
        {count === 0 ? t('filters.open') : t('filters.openCount', { count })}
      </Button>
      {isOpen && (
        <Dialog
          title={t('filters.title')}
          onClose={close}
          footer={
            <>
              <Button onClick={clear}>{t('filters.clear')}</Button>
              <Button variant="primary" onClick={close}>
                {t('filters.done')}
              </Button>
            </>
          }
        >
          <FilterSelect name="source" inForm />
          <FilterSelect name="state" inForm />
          <FilterSelect name="channel" inForm />
          <KindChoice wide />
          <FilterSelect name="range" inForm />
          <Days />
        </Dialog>
      )}
    </div>
  )
}

/** The filters of refused calls, which have neither state nor key. */
export function CallFilters() {
  return (
    <Row>
      <span className={classes.source}>
        <FilterSelect name="source" />
      </span>
      <FilterSelect name="channel" />
    </Row>
  )
}
