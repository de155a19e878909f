import type { ApiRequest, ApiResponse } from '../api/call-api.ts'
import type { Draft } from './draft.ts'
import type { FormStep } from './find-faults.ts'

export type ReadExample = ApiResponse<'POST /console/companies/{company_id}/sources/example'>
export type Preview = ApiResponse<'POST /console/companies/{company_id}/sources/{source_id}/preview'>
export type ExampleInput = ApiRequest<'POST /console/companies/{company_id}/sources/example'>['body']

/** What was pasted or dropped, for as long as the page is open: it is stored nowhere. */
export interface Example {
  /** Tells one from the next. */
  id: number
  /** It was larger than an example may be, and only its first rows were read. */
  isCut: boolean
  /** Of the file; undefined where it was pasted. */
  name?: string
  input: ExampleInput
  read: ReadExample
}

/** What each step of the form is given. */
export interface StepProps {
  /** Null: it is not made yet. */
  sourceId: string | null
  draft: Draft
  change: (change: (draft: Draft) => Draft) => void
  /** What is wrong with a control, where that is to be said. */
  faultOf: (fieldId: string) => string | undefined
  example: Example | undefined
  onExample: (example: Example | undefined) => void
  onStep: (step: FormStep) => void
}
