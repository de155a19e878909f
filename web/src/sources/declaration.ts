import type { ApiRequest, ApiResponse } from '../api/call-api.ts'

export type SourceBody = ApiRequest<'POST /console/companies/{company_id}/sources'>['body']
export type Declaration =
  ApiRequest<'POST /console/companies/{company_id}/sources/preview'>['body']['declaration']
export type Field = Declaration['fields'][number]
export type Metric = Declaration['metrics'][number]
export type Filter = Metric['filters'][number]

export type ShownSource = ApiResponse<'GET /console/companies/{company_id}/sources/{source_id}'>
export type Source = ShownSource['source']
export type ShapeVersion = ShownSource['versions'][number]

/** A source with its newest version. */
export interface SavedSource {
  source: Source
  version: ShapeVersion
}
