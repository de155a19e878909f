import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Company, may } from '../company/company.ts'
import { connectionsQuery, sourcesQuery } from '../company/lists.ts'
import { metricName } from '../company/metric-name.ts'
import { useReports } from '../company/report-list.ts'
import type { Grain } from '../language/format-day.ts'
import { useMember } from '../session/member.ts'
import type { IconName } from '../ui/icon.tsx'
import { ownPages, sectionsOf } from './sections.ts'

/** Something that the search finds, and where it leads. */
export interface PaletteItem {
  key: string
  icon: IconName
  label: string
  about?: string
  to: string
  params?: Record<string, string>
  search?: { grain: Grain }
}

export interface PaletteGroup {
  title: string
  items: PaletteItem[]
}

/** Of each group, so that every group is in sight. */
const groupItemsMax = 6

const artifactForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether each word of what is sought stands in the label or in what is said about it. */
function isFound({ label, about = '' }: PaletteItem, text: string): boolean {
  const where = `${label} ${about}`.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => where.includes(word))
}

function usePages(company: Company | undefined): PaletteGroup {
  const { t } = useTranslation()
  const params = { companyId: company?.company_id ?? '' }
  return {
    title: t('palette.pages'),
    items: [
      ...(company === undefined ? [] : sectionsOf(company.role)).map(({ name, to, icon }) => ({
        key: name,
        icon,
        label: t(`frame.${name}`),
        about: company?.name ?? '',
        to,
        params,
      })),
      ...ownPages.map(({ name, to, icon }) => ({ key: name, icon, label: t(`frame.${name}`), to })),
    ],
  }
}

function useCompanies(company: Company | undefined): PaletteGroup {
  const { t } = useTranslation()
  const others = useMember().companies.filter(({ company_id }) => company_id !== company?.company_id)
  return {
    title: t('palette.companies'),
    items: others.map(({ company_id, name, orgnr }) => ({
      key: company_id,
      icon: 'companies',
      label: name,
      about: orgnr,
      to: '/companies/$companyId/reports',
      params: { companyId: company_id },
    })),
  }
}

/** What a developer finds of a company by its name. */
function useCompanyThings(company: Company | undefined): PaletteGroup[] {
  const { t } = useTranslation()
  const companyId = company?.company_id ?? ''
  const enabled = company !== undefined && may(company.role, 'developer')
  const sources = useQuery({ ...sourcesQuery(companyId), enabled })
  const connections = useQuery({ ...connectionsQuery(companyId), enabled })
  return [
    {
      title: t('palette.sources'),
      items: (sources.data ?? []).map(({ source_id, name, system_kind }) => ({
        key: source_id,
        icon: 'source',
        label: name,
        about: system_kind,
        to: '/companies/$companyId/sources/$sourceId',
        params: { companyId, sourceId: source_id },
      })),
    },
    {
      title: t('palette.connections'),
      items: (connections.data ?? []).map(({ connection_id, name, made_by }) => ({
        key: connection_id,
        icon: 'connection',
        label: name,
        ...(made_by?.name != null && { about: made_by.name }),
        to: '/companies/$companyId/connections/$connectionId',
        params: { companyId, connectionId: connection_id },
      })),
    },
  ]
}

/** The metrics that a company counts, each of which opens its report. For every role. */
function useMetrics(company: Company | undefined): PaletteGroup {
  const { t } = useTranslation()
  const companyId = company?.company_id ?? ''
  const { cards } = useReports(companyId, company !== undefined)
  return {
    title: t('palette.metrics'),
    items: (cards ?? []).map(({ source_id, source_name, metric, name, grain }) => ({
      key: `${source_id} ${metric}`,
      icon: 'reports',
      label: metricName(t, metric, name),
      about: source_name,
      to: '/companies/$companyId/reports/$sourceId/$metric',
      params: { companyId, sourceId: source_id, metric },
      search: { grain },
    })),
  }
}

/** What is found for a text; for none, the pages and companies. */
export function usePaletteGroups(company: Company | undefined, text: string): PaletteGroup[] {
  const { t } = useTranslation()
  const pages = usePages(company)
  const companies = useCompanies(company)
  const things = useCompanyThings(company)
  const metrics = useMetrics(company)
  const sought = text.trim()
  if (sought === '') return [pages, companies].filter(({ items }) => items.length > 0)
  if (company !== undefined && may(company.role, 'developer') && artifactForm.test(sought)) {
    const artifactId = sought.toLowerCase()
    const delivery: PaletteItem = {
      key: artifactId,
      icon: 'delivery',
      label: t('palette.openDelivery'),
      about: artifactId,
      to: '/companies/$companyId/deliveries/$artifactId',
      params: { companyId: company.company_id, artifactId },
    }
    return [{ title: t('palette.deliveries'), items: [delivery] }]
  }
  return [pages, ...things, metrics, companies]
    .map(({ title, items }) => ({
      title,
      items: items.filter((item) => isFound(item, sought)).slice(0, groupItemsMax),
    }))
    .filter(({ items }) => items.length > 0)
}
