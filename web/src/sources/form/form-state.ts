import type { ApiRequest, ApiResponse } from '../../api/call-api.ts'
import type { FormStep } from '../sources-search.ts'
import type { ChangeDraft, Draft, DraftMetric } from './draft.ts'

export type ReadExample = ApiResponse<'POST /console/companies/{company_id}/sources/example'>
export type Preview = ApiResponse<'POST /console/companies/{company_id}/sources/{source_id}/preview'>
export type ExampleInput = ApiRequest<'POST /console/companies/{company_id}/sources/example'>['body']

/** What was pasted or dropped. It is stored nowhere, and lost with the page. */
export interface Example {
  /** Distinguishes it from the next one. */
  id: number
  /** It exceeded the limit, so that only its first rows were read. */
  isCut: boolean
  /** Of the file; undefined where it was pasted. */
  name?: string
  input: ExampleInput
  read: ReadExample
}

/** The props of each step of the form. */
export interface StepProps {
  /** Null for a new source. */
  sourceId: string | null
  draft: Draft
  change: ChangeDraft
  /** What is wrong with a control, once that is to be shown. */
  getFault: (fieldId: string) => string | undefined
  example: Example | undefined
  /** The delivery that is previewed as if it were sent with the draft. */
  artifactId: string | undefined
  onExample: (example: Example | undefined) => void
  onStep: (step: FormStep) => void
}

/** The props of a metric's controls. */
export interface EditorProps extends StepProps {
  metric: DraftMetric
  /** The path of the metric, with which its controls' ids begin. */
  at: string
  set: (change: Partial<DraftMetric>) => void
}
