import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Company, may } from '../company/company.ts'
import { connectionsQuery, sourcesQuery } from '../company/lists.ts'
import { metricName } from '../company/metric-name.ts'
import { useReports } from '../company/report-list.ts'
import { useSavedViews } from '../saved-views/saved-views.ts'
import type { Grain } from '../language/format-day.ts'
import { useMember } from '../session/member.ts'
import type { IconName } from '../ui/display/icon.tsx'
import { ownPages, sectionsFor } from './sections.ts'

/** Something that the search finds, and its address. */
export interface PaletteItem {
  key: string
  icon: IconName
  label: string
  about?: string
  to: string
  params?: Record<string, string>
  search?: { grain: Grain }
}

interface PaletteGroup {
  title: string
  items: PaletteItem[]
}

/** Few enough for every group to be in view. */
const groupItemsMax = 6

const artifactPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether each word occurs in the label or in its hint. */
function isMatch({ label, about = '' }: PaletteItem, words: readonly string[]): boolean {
  const text = `${label} ${about}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

function usePages(company: Company | undefined): PaletteItem[] {
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
    ...ownPages.map(({ name, to, icon }) => ({ key: name, icon, label: t(`frame.${name}`), to })),
  ]
}

/** The sources and connections of a company, for developers. */
function useCompanyThings(company: Company | undefined): {
  sources: PaletteItem[]
  connections: PaletteItem[]
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
function useMetrics(company: Company | undefined): PaletteItem[] {
  const { t } = useTranslation()
  const companyId = company?.company_id ?? ''
  const { cards = [] } = useReports(companyId, company !== undefined)
  return cards.map(({ source_id, source_name, metric, name, grain }) => ({
    key: `${source_id} ${metric}`,
    icon: 'reports',
    label: metricName(t, metric, name),
    about: source_name,
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

/** What a text finds; without a text, the pages and companies. */
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
  const { pinned, views } = useViews(company)
  const sought = text.trim().toLowerCase()
  const first = { title: t('palette.views'), items: pinned.slice(0, groupItemsMax) }
  if (sought === '') return [first, pages, companies].filter(({ items }) => items.length > 0)
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
  return [
    pages,
    { title: t('palette.views'), items: views },
    { title: t('palette.sources'), items: sources },
    { title: t('palette.connections'), items: connections },
    { title: t('palette.metrics'), items: metrics },
    companies,
  ]
    .map(({ title, items }) => ({
      title,
      items: items.filter((item) => isMatch(item, words)).slice(0, groupItemsMax),
    }))
    .filter(({ items }) => items.length > 0)
}
