import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { sourcesQuery } from '../company/lists.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useMedia } from '../ui/drawer.tsx'
import { SearchField, TextField } from '../ui/field.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { type Option, Select, SelectField } from '../ui/select.tsx'
import classes from './deliveries.module.css'
import {
  callChannels,
  deliveryKinds,
  deliveryStates,
  type DeliveriesSearch,
  filtersOf,
  rangeOf,
  ranges,
  searchCharactersMax,
  without,
} from './deliveries-search.ts'
import { phone } from './phone.ts'

const route = getRouteApi('/frame/companies/$companyId/deliveries')

/** Stands for all of them in a list, since an empty value is none. */
const any = ''

/** How long after the last key something typed is searched for, in milliseconds. */
const typingMs = 250

/** Changes what the address says; undefined takes it away. */
export function useFilter(): (change: {
  [Name in keyof DeliveriesSearch]?: DeliveriesSearch[Name] | undefined
}) => void {
  const navigate = useNavigate()
  const { company_id } = useCompany()
  return (change) =>
    void navigate({
      to: '/companies/$companyId/deliveries',
      params: { companyId: company_id },
      search: (before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined),
        ) as DeliveriesSearch,
      replace: true,
      resetScroll: false,
    })
}

/** What each of the lists to choose from holds. */
function useChoices() {
  const { t } = useTranslation('deliveries')
  const { company_id } = useCompany()
  const search = route.useSearch()
  const sources = useQuery(sourcesQuery(company_id)).data
  const isKnown = sources?.some(({ source_id }) => source_id === search.source) ?? true
  return {
    source: [
      { value: any, label: t('filters.allSources') },
      ...(sources ?? []).map(({ source_id, name }) => ({ value: source_id, label: name })),
      // Of another address, or still on its way: it is asked for all the same.
      ...(search.source !== undefined && (sources === undefined || !isKnown)
        ? [{ value: search.source, label: sources === undefined ? '…' : t('filters.unknownSource') }]
        : []),
    ],
    state: [
      { value: any, label: t('filters.anyState') },
      ...deliveryStates.map((state) => ({ value: state, label: t(`filters.${state}`) })),
    ] satisfies Option<string>[],
    channel: [
      { value: any, label: t('filters.anyChannel') },
      ...callChannels
        .filter((channel) => search.tab === 'calls' || channel !== 'read')
        .map((channel) => ({ value: channel, label: t(`channelName.${channel}`) })),
    ],
    kind: [
      { value: 'all', label: t('filters.all') },
      ...deliveryKinds.map((kind) => ({ value: kind, label: t(`filters.${kind}`) })),
    ] as Option<'all' | 'production' | 'test'>[],
    range: ranges.map((range) => ({
      value: range,
      label: t(range === 'all' ? 'filters.ever' : `filters.${range}`),
    })),
  }
}

/** The address says what is searched for once the typing rests, so that each key is no page of its own. */
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
  const say = (text: string): void => {
    clearTimeout(timer.current)
    filter({ search: text.trim() === '' ? undefined : text.trim() })
  }
  return (
    <SearchField
      label={t('filters.search')}
      value={typed}
      maxLength={searchCharactersMax}
      onChange={(text) => {
        setTyped(text)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => say(text), typingMs)
      }}
      onKeyDown={({ key }) => {
        if (key === 'Enter') say(typed)
      }}
    />
  )
}

function asChosen<Value extends string>(value: Value | typeof any): Value | undefined {
  return value === any ? undefined : value
}

/** What narrows the list of deliveries. All of it stands in the address. */
export function DeliveryFilters() {
  const isPhone = useMedia(phone)
  return isPhone ? <PhoneFilters /> : <WideFilters />
}

function WideFilters() {
  const { t } = useTranslation('deliveries')
  const search = route.useSearch()
  const choices = useChoices()
  const filter = useFilter()
  const range = rangeOf(search)
  return (
    <>
      <div className={classes.filters}>
        <span className={classes.source}>
          <Select
            label={t('filters.source')}
            icon="source"
            value={search.source ?? any}
            options={choices.source}
            onChange={(source) => filter({ source: asChosen(source) })}
          />
        </span>
        <Select
          label={t('filters.state')}
          value={search.state ?? any}
          options={choices.state as Option<NonNullable<DeliveriesSearch['state']> | ''>[]}
          onChange={(state) => filter({ state: asChosen(state) })}
        />
        <Select
          label={t('filters.channel')}
          value={search.channel === 'read' ? any : (search.channel ?? any)}
          options={choices.channel as Option<NonNullable<DeliveriesSearch['channel']> | ''>[]}
          onChange={(channel) => filter({ channel: asChosen(channel) })}
        />
        <Segmented
          label={t('filters.kind')}
          value={search.kind ?? 'all'}
          options={choices.kind}
          onChange={(kind) => filter({ kind: kind === 'all' ? undefined : kind })}
        />
        <Select
          label={t('filters.range')}
          icon="calendar"
          value={range}
          options={choices.range}
          onChange={(chosen) => filter({ range: chosen })}
        />
        <span className={classes.search}>
          <KeySearch />
        </span>
      </div>
      {range === 'days' && <Days />}
    </>
  )
}

function Days() {
  const { t } = useTranslation('deliveries')
  const { from, to } = route.useSearch()
  const filter = useFilter()
  return (
    <div className={classes.days}>
      <TextField
        type="date"
        label={t('filters.from')}
        value={from ?? ''}
        max={to}
        onChange={(day) => filter({ from: asChosen(day) })}
      />
      <TextField
        type="date"
        label={t('filters.to')}
        value={to ?? ''}
        min={from}
        onChange={(day) => filter({ to: asChosen(day) })}
      />
    </div>
  )
}

function PhoneFilters() {
  const { t } = useTranslation('deliveries')
  const search = route.useSearch()
  const [isOpen, setOpen] = useState(false)
  const others = without(search, 'search')
  const count = filtersOf(others) + (rangeOf(search) === '30d' || search.search !== undefined ? 0 : 1)
  return (
    <div className={classes.phoneFilters}>
      <KeySearch />
      <Button onClick={() => setOpen(true)}>
        {count === 0 ? t('filters.open') : t('filters.openCount', { count })}
      </Button>
      {isOpen && <FilterDialog onClose={() => setOpen(false)} />}
    </div>
  )
}

function FilterDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('deliveries')
  const search = route.useSearch()
  const choices = useChoices()
  const filter = useFilter()
  const clear = useClearFilters()
  const range = rangeOf(search)
  return (
    <Dialog
      title={t('filters.title')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={clear}>{t('filters.clear')}</Button>
          <Button variant="primary" onClick={onClose}>
            {t('filters.done')}
          </Button>
        </>
      }
    >
      <div className={classes.form}>
        <SelectField
          label={t('filters.source')}
          value={search.source ?? any}
          options={choices.source}
          onChange={(source) => filter({ source: asChosen(source) })}
        />
        <SelectField
          label={t('filters.state')}
          value={search.state ?? any}
          options={choices.state as Option<NonNullable<DeliveriesSearch['state']> | ''>[]}
          onChange={(state) => filter({ state: asChosen(state) })}
        />
        <SelectField
          label={t('filters.channel')}
          value={search.channel === 'read' ? any : (search.channel ?? any)}
          options={choices.channel as Option<NonNullable<DeliveriesSearch['channel']> | ''>[]}
          onChange={(channel) => filter({ channel: asChosen(channel) })}
        />
        <Segmented
          label={t('filters.kind')}
          wide
          value={search.kind ?? 'all'}
          options={choices.kind}
          onChange={(kind) => filter({ kind: kind === 'all' ? undefined : kind })}
        />
        <SelectField
          label={t('filters.range')}
          value={range}
          options={choices.range}
          onChange={(chosen) => filter({ range: chosen })}
        />
        {range === 'days' && <Days />}
      </div>
    </Dialog>
  )
}

/** Takes every filter out of the address; the tab and the sources above stay. */
export function useClearFilters(): () => void {
  const filter = useFilter()
  return () =>
    filter({
      source: undefined,
      state: undefined,
      channel: undefined,
      kind: undefined,
      range: undefined,
      from: undefined,
      to: undefined,
      search: undefined,
    })
}

/** What narrows the refused calls: they have neither state nor key. */
export function CallFilters() {
  const { t } = useTranslation('deliveries')
  const search = route.useSearch()
  const choices = useChoices()
  const filter = useFilter()
  return (
    <div className={classes.filters}>
      <span className={classes.source}>
        <Select
          label={t('filters.source')}
          icon="source"
          value={search.source ?? any}
          options={choices.source}
          onChange={(source) => filter({ source: asChosen(source) })}
        />
      </span>
      <Select
        label={t('filters.channel')}
        value={search.channel ?? any}
        options={choices.channel as Option<NonNullable<DeliveriesSearch['channel']> | ''>[]}
        onChange={(channel) => filter({ channel: asChosen(channel) })}
      />
    </div>
  )
}
