import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../api/call-api.ts'
import { useCompany } from '../../company/company.ts'
import { companyKey } from '../../company/lists.ts'
import { useFormat } from '../../company/use-format.ts'
import { Card } from '../../ui/layout/card.tsx'
import { Loaded, More } from '../../ui/feedback/loaded.tsx'
import { Row, Stack } from '../../ui/layout/page.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { Select } from '../../ui/controls/select.tsx'
import { type Column, Table } from '../../ui/display/table.tsx'
import { Comparison } from '../comparison.tsx'
import type { ShapeVersion, ShownSource } from '../declaration.ts'

const route = getRouteApi('/frame/companies/$companyId/sources/$sourceId/versions')

const pageSize = '50'

function useVersions({ source: { source_id, revision } }: ShownSource) {
  const { company_id } = useCompany()
  return useInfiniteQuery({
    queryKey: companyKey(company_id, 'sources', source_id, 'versions', revision),
    queryFn: ({ pageParam: cursor }) =>
      callApi('GET /console/companies/{company_id}/sources/{source_id}', {
        path: { company_id, source_id },
        query: { limit: pageSize, ...(cursor !== '' && { cursor }) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }: ShownSource) => next_cursor,
    select: ({ pages }) => pages.flatMap(({ versions }) => versions),
  })
}

/** All versions of a source, and the comparison of two of them. */
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
  const find = (version: string | undefined) =>
    versions.find(({ shape_version }) => String(shape_version) === version)
  const right = find(search.right) ?? versions[0]!
  const left = find(search.left) ?? find(String(right.shape_version - 1)) ?? versions[1]!
  const [rightValue, leftValue] = [String(right.shape_version), String(left.shape_version)]
  const name = ({ shape_version }: ShapeVersion): string => t('versions.one', { version: shape_version })
  const options = versions.map((version) => ({ value: String(version.shape_version), label: name(version) }))
  const choose = (left: string, right: string): void =>
    void navigate({ to: '.', search: { left, right }, replace: true })
  return (
    <>
      <Row>
        <Select
          label={t('versions.left')}
          value={leftValue}
          options={options}
          onChange={(left) => choose(left, rightValue)}
        />
        <span className="quiet">{t('versions.comparedWith')}</span>
        <Select
          label={t('versions.right')}
          value={rightValue}
          options={options}
          onChange={(right) => choose(leftValue, right)}
        />
      </Row>
      <Comparison
        title={t('versions.compared', { left: left.shape_version, right: right.shape_version })}
        left={left}
        right={right}
        leftHead={name(left)}
        rightHead={name(right)}
      />
    </>
  )
}

function VersionList({ versions }: { versions: ShapeVersion[] }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const counts = { wideOnly: true, end: true }
  const columns: Column<ShapeVersion>[] = [
    { key: 'version', head: t('versions.version'), render: (version) => version.shape_version, strong: true },
    { key: 'at', head: t('versions.saved'), render: ({ saved_at }) => format.instant(saved_at) },
    {
      key: 'by',
      head: t('versions.by'),
      render: ({ saved_by }) => {
        if (saved_by === null) return t('versions.operator')
        return <bdi>{saved_by.name ?? t('versions.nameless')}</bdi>
      },
    },
    { key: 'fields', head: t('fields'), render: ({ fields }) => format.count(fields.length), ...counts },
    {
      key: 'metrics',
      head: t('tabs.metrics'),
      render: ({ metrics }) => format.count(metrics.length),
      ...counts,
    },
    { key: 'delivers', head: t('deliversHead'), render: ({ delivers }) => t(delivers), wideOnly: true },
  ]
  return (
    <Card>
      <Section title={t('versions.all')} line={t('versions.line')} />
      <Table
        caption={t('versions.all')}
        columns={columns}
        rows={versions}
        rowKey={({ shape_version }) => String(shape_version)}
      />
    </Card>
  )
}
