import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { companyKey } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { Card } from '../ui/card.tsx'
import { Loaded, More } from '../ui/loaded.tsx'
import { Row, Stack } from '../ui/page.tsx'
import { Section } from '../ui/section.tsx'
import { Select } from '../ui/select.tsx'
import { Table } from '../ui/table.tsx'
import { Comparison } from './comparison.tsx'
import type { ShapeVersion } from './draft.ts'
import { type ShownSource, versionsPageSize } from './source-query.ts'

const route = getRouteApi('/frame/companies/$companyId/sources/$sourceId/versions')

function useVersions({ source }: ShownSource) {
  const { company_id } = useCompany()
  const { source_id } = source
  return useInfiniteQuery({
    queryKey: companyKey(company_id, 'sources', source_id, 'versions', source.revision),
    queryFn: ({ pageParam }: { pageParam: string | null }) =>
      callApi('GET /console/companies/{company_id}/sources/{source_id}', {
        path: { company_id, source_id },
        query: { limit: versionsPageSize, ...(pageParam !== null && { cursor: pageParam }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    select: ({ pages }) => pages.flatMap(({ versions }) => versions),
  })
}

/** All versions of a source, and any two of them beside each other. */
export function SourceVersions({ data }: { data: ShownSource }) {
  const list = useVersions(data)
  return (
    <Loaded query={list}>
      {(versions) => (
        <Stack>
          {versions.length > 1 && <TwoVersions versions={versions} />}
          <VersionList versions={versions} />
          <More list={list} />
        </Stack>
      )}
    </Loaded>
  )
}

function TwoVersions({ versions }: { versions: ShapeVersion[] }) {
  const { t } = useTranslation('sources')
  const search = route.useSearch()
  const navigate = useNavigate()
  const find = (version: string | undefined, otherwise: ShapeVersion): ShapeVersion =>
    versions.find(({ shape_version }) => String(shape_version) === version) ?? otherwise
  const right = find(search.right, versions[0]!)
  const before = versions.find(({ shape_version }) => shape_version === right.shape_version - 1)
  const left = find(search.left, before ?? versions[1]!)
  const options = versions.map(({ shape_version }) => ({
    value: String(shape_version),
    label: t('versions.one', { version: shape_version }),
  }))
  const choose = (change: { left?: string; right?: string }): void => {
    const chosen = { left: String(left.shape_version), right: String(right.shape_version), ...change }
    void navigate({ to: '.', search: chosen, replace: true })
  }
  const head = ({ shape_version }: ShapeVersion): string => t('versions.one', { version: shape_version })
  return (
    <>
      <Row>
        <Select
          label={t('versions.left')}
          value={String(left.shape_version)}
          options={options}
          onChange={(left) => choose({ left })}
        />
        <span className="quiet">{t('versions.beside')}</span>
        <Select
          label={t('versions.right')}
          value={String(right.shape_version)}
          options={options}
          onChange={(right) => choose({ right })}
        />
      </Row>
      <Comparison
        title={t('versions.compared', { left: left.shape_version, right: right.shape_version })}
        left={left}
        right={right}
        leftHead={head(left)}
        rightHead={head(right)}
      />
    </>
  )
}

function VersionList({ versions }: { versions: ShapeVersion[] }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  return (
    <Card>
      <Section title={t('versions.all')} line={t('versions.line')} />
      <Table
        caption={t('versions.all')}
        columns={[
          {
            key: 'version',
            head: t('versions.version'),
            render: ({ shape_version }) => shape_version,
            strong: true,
          },
          { key: 'at', head: t('versions.saved'), render: ({ saved_at }) => format.instant(saved_at) },
          {
            key: 'by',
            head: t('versions.by'),
            render: ({ saved_by }) =>
              saved_by === null ? (
                t('versions.operator')
              ) : (
                <bdi>{saved_by.name ?? t('versions.nameless')}</bdi>
              ),
          },
          {
            key: 'fields',
            head: t('fields'),
            render: ({ fields }) => format.count(fields.length),
            wideOnly: true,
            end: true,
          },
          {
            key: 'metrics',
            head: t('tabs.metrics'),
            render: ({ metrics }) => format.count(metrics.length),
            wideOnly: true,
            end: true,
          },
          { key: 'delivers', head: t('deliversHead'), render: ({ delivers }) => t(delivers), wideOnly: true },
        ]}
        rows={versions}
        rowKey={({ shape_version }) => String(shape_version)}
      />
    </Card>
  )
}
