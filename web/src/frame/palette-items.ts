import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../api/call-api.ts'
import { type Company, may } from '../company/company.ts'
import { companyKey, connectionsQuery, sourcesQuery } from '../company/lists.ts'
import { metricName } from '../company/metric-name.ts'
import { useReports } from '../company/report-list.ts'
import { useSavedViews } from '../saved-views/saved-views.ts'
import { useFormat } from '../company/use-format.ts'
import { switchLanguage } from '../language/language.ts'
import type { Grain } from '../language/format-day.ts'
import { useMember } from '../session/member.ts'
import { useSignOut } from '../session/use-sign-out.ts'
import type { IconName } from '../ui/display/icon.tsx'
import { ownPages, sectionsFor } from './sections.ts'

interface Item {
  key: string
  icon: IconName
  label: string
  about?: string
}

/** Something that the search finds, and its address. */
export interface PageItem extends Item {
  to: string
  params?: Record<string, string>
  search?: { grain: Grain } | { ask: string } | { company: string | undefined }
  run?: undefined
}

/** Something that the search does. */
export interface CommandItem extends Item {
  run: () => void
}

export type PaletteItem = PageItem | CommandItem

interface PaletteGroup {
  title: string
  items: PaletteItem[]
}

/** Few enough for every group to be in view. */
const groupItemsMax = 6

/** A key is searched for from this many characters on, once no more have been typed for a moment. */
const keyCharactersMin = 3
const settledAfterMs = 250

const artifactPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether each word occurs in the label or in its hint. */
function isMatch({ label, about = '' }: PaletteItem, words: readonly string[]): boolean {
  const text = `${label} ${about}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

function usePages(company: Company | undefined): PageItem[] {
  const { t } = useTranslation()
  const sections = company === undefined ? [] : sectionsFor(company.role)
  return [
    ...sections.map(({ name, to, icon }) => ({
      key: name,
      icon,
      label: t(`frame.${name}`),
      about: company!.name,
      to,
      params: { companyId: company!.company_id },
    })),
    ...ownPages.map(({ name, to, icon }) => ({
      key: name,
      icon,
      label: t(`frame.${name}`),
      to,
      search: { company: company?.company_id },
    })),
  ]
}

/** The sources and connections of a company, for developers. */
function useCompanyThings(company: Company | undefined): {
  sources: PageItem[]
  connections: PageItem[]
} {
  const companyId = company?.company_id ?? ''
  const enabled = company !== undefined && may(company.role, 'developer')
  const sources = useQuery({ ...sourcesQuery(companyId), enabled })
  const connections = useQuery({ ...connectionsQuery(companyId), enabled })
  return {
    sources: (sources.data ?? []).map(({ source_id, name, system_kind }) => ({
      key: source_id,
      icon: 'source',
      label: name,
      about: system_kind,
      to: '/companies/$companyId/sources/$sourceId',
      params: { companyId, sourceId: source_id },
    })),
    connections: (connections.data ?? []).map(({ connection_id, name, created_by }) => ({
      key: connection_id,
      icon: 'connection',
      label: name,
      ...(created_by?.name != null && { about: created_by.name }),
      to: '/companies/$companyId/connections/$connectionId',
      params: { companyId, connectionId: connection_id },
    })),
  }
}

/** The metrics of a company, each with its report. For every role. */
function useMetrics(company: Company | undefined): PageItem[] {
  const { t } = useTranslation()
  const format = useFormat()
  const companyId = company?.company_id ?? ''
  const { cards = [] } = useReports(companyId, company !== undefined)
  return cards.map(({ source_id, source_name, metric, name, unit, grain, latest }) => ({
    key: `${source_id} ${metric}`,
    icon: 'reports',
    label: metricName(t, metric, name),
    about: [source_name, latest?.value != null && writeFigure(format.number(latest.value), unit)]
      .filter(Boolean)
      .join(' · '),
    to: '/companies/$companyId/reports/$sourceId/$metric',
    params: { companyId, sourceId: source_id, metric },
    search: { grain },
  }))
}

/** The saved views of a company, the pinned ones first. For every role. */
function useViews(company: Company | undefined): { pinned: PaletteItem[]; views: PaletteItem[] } {
  const companyId = company?.company_id ?? ''
  const { data = [] } = useSavedViews(companyId, company !== undefined)
  const toItem = ({ view_id, name }: (typeof data)[number]): PaletteItem => ({
    key: view_id,
    icon: 'reports',
    label: name,
    to: '/companies/$companyId/views/$viewId',
    params: { companyId, viewId: view_id },
  })
  const pinned = data.filter((view) => view.pinned).map(toItem)
  return { pinned, views: [...pinned, ...data.filter((view) => !view.pinned).map(toItem)] }
}

const writeFigure = (number: string, unit: string): string =>
  unit === 'count' ? number : `${number} ${unit}`

/** What can be done from any page. */
function useCommands(company: Company | undefined): PaletteItem[] {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const { csrf_token } = useMember()
  const signOut = useSignOut(csrf_token, () => void navigate({ to: '/sign-in', ignoreBlocker: true }))
  const companyId = company?.company_id ?? ''
  const isDeveloper = company !== undefined && may(company.role, 'developer')
  const sources = useQuery({ ...sourcesQuery(companyId), enabled: isDeveloper })
  const params = { companyId }
  const to = (key: 'newSource' | 'newConnection' | 'invite', path: string, icon: IconName): PageItem => ({
    key,
    icon,
    label: t(`palette.${key}`),
    to: `/companies/$companyId/${path}`,
    params,
    ...(key === 'invite' && { search: { ask: 'invite' } }),
  })
  const pauses = (sources.data ?? []).map(({ source_id, name, state }): PageItem => ({
    key: `pause ${source_id}`,
    icon: 'pause',
    label: t('palette.pause', { source: name }),
    to: '/companies/$companyId/sources/$sourceId',
    params: { ...params, sourceId: source_id },
    search: { ask: state === 'active' ? 'pause' : '' },
  }))
  return [
    ...(isDeveloper
      ? [to('newSource', 'sources/new', 'plus'), to('newConnection', 'connections/new', 'plus')]
      : []),
    ...(company !== undefined && may(company.role, 'owner') ? [to('invite', 'members', 'members')] : []),
    {
      key: 'language',
      icon: 'language',
      label: t('ui.otherLanguage'),
      run: () => switchLanguage(i18n.language === 'sv' ? 'en' : 'sv'),
    },
    { key: 'signOut', icon: 'leave', label: t('session.signOut'), run: () => signOut.mutate() },
    ...pauses.filter(({ search }) => search !== undefined && 'ask' in search && search.ask !== ''),
  ]
}

/** A text after it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settledAfterMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** Deliveries whose key begins with the text, for developers. */
function useDeliveriesByKey(company: Company | undefined, text: string): PageItem[] {
  const companyId = company?.company_id ?? ''
  const search = useSettled(text.trim())
  const found = useQuery({
    queryKey: companyKey(companyId, 'deliveries', 'by-key', search),
    queryFn: () =>
      callApi('GET /console/companies/{company_id}/deliveries', {
        path: { company_id: companyId },
        query: { search, limit: String(groupItemsMax) },
      }),
    enabled: company !== undefined && may(company.role, 'developer') && search.length >= keyCharactersMin,
    staleTime: 10_000,
  })
  if (search !== text.trim()) return []
  return (found.data?.deliveries ?? []).map(({ artifact_id, key, connection }) => ({
    key: artifact_id,
    icon: 'delivery',
    label: key,
    ...(connection?.name != null && { about: connection.name }),
    to: '/companies/$companyId/deliveries/$artifactId',
    params: { companyId, artifactId: artifact_id },
  }))
}

/** What a text finds; without a text, the pages, companies and commands. */
export function usePaletteGroups(company: Company | undefined, text: string): PaletteGroup[] {
  const { t } = useTranslation()
  const pages = { title: t('palette.pages'), items: usePages(company) }
  const companies = {
    title: t('palette.companies'),
    items: useMember()
      .companies.filter(({ company_id }) => company_id !== company?.company_id)
      .map(({ company_id, name, orgnr }) => ({
        key: company_id,
        icon: 'companies' as const,
        label: name,
        about: orgnr,
        to: '/companies/$companyId/reports',
        params: { companyId: company_id },
      })),
  }
  const { sources, connections } = useCompanyThings(company)
  const metrics = useMetrics(company)
  const deliveries = useDeliveriesByKey(company, text)
  const commands = { title: t('palette.commands'), items: useCommands(company) }
  const { pinned, views } = useViews(company)
  const first = { title: t('palette.views'), items: pinned.slice(0, groupItemsMax) }
  const sought = text.trim().toLowerCase()
  if (sought === '') {
    const few = { ...commands, items: commands.items.filter(({ key }) => !key.startsWith('pause ')) }
    return [first, pages, companies, few].filter(({ items }) => items.length > 0)
  }
  if (company !== undefined && may(company.role, 'developer') && artifactPattern.test(sought)) {
    const delivery: PaletteItem = {
      key: sought,
      icon: 'delivery',
      label: t('palette.openDelivery'),
      about: sought,
      to: '/companies/$companyId/deliveries/$artifactId',
      params: { companyId: company.company_id, artifactId: sought },
    }
    return [{ title: t('palette.deliveries'), items: [delivery] }]
  }
  const words = sought.split(/\s+/)
  // Not for every text that names a source.
  const isCommand = ({ key, label }: PaletteItem): boolean =>
    !key.startsWith('pause ') || words.some((word) => label.toLowerCase().startsWith(word))
  return [
    pages,
    { title: t('palette.views'), items: views },
    { title: t('palette.sources'), items: sources },
    { title: t('palette.connections'), items: connections },
    { title: t('palette.metrics'), items: metrics },
    companies,
    { ...commands, items: commands.items.filter(isCommand) },
  ]
    .map(({ title, items }): PaletteGroup => ({
      title,
      items: items.filter((item) => isMatch(item, words)).slice(0, groupItemsMax),
    }))
    .concat({ title: t('palette.deliveries'), items: deliveries })
    .filter(({ items }) => items.length > 0)
}
