import { type RawSearch, readOneOf, readText } from '../ui/search-params.ts'
import { type FormStep, formSteps } from './find-faults.ts'

/** What the address of the list of sources says. */
export interface SourcesSearch {
  /** The column that it is sorted by; with `-` before it, from the largest on. */
  sort?: string
}

export function parseSourcesSearch(search: RawSearch): SourcesSearch {
  const sort = readText(search, 'sort')
  return { ...(sort !== undefined && { sort }) }
}

/** What the address of the form says. */
export interface FormSearch {
  /** The step that is shown; the first where none is named. */
  step?: FormStep
}

export function parseFormSearch(search: RawSearch): FormSearch {
  const step = readOneOf(search, 'step', formSteps)
  return { ...(step !== undefined && { step }) }
}

/** Which two versions stand beside each other; the last two where none are named. */
export interface VersionsSearch {
  left?: string
  right?: string
}

const versionForm = /^[1-9]\d{0,8}$/

export function parseVersionsSearch(search: RawSearch): VersionsSearch {
  const [left, right] = [readText(search, 'left'), readText(search, 'right')]
  return {
    ...(left !== undefined && versionForm.test(left) && { left }),
    ...(right !== undefined && versionForm.test(right) && { right }),
  }
}
