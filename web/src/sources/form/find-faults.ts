import {
  checkDeclaration,
  type DeclarationFaultCode,
} from '../../../../src/engine/declarations/check-declaration.ts'
import { nameFault } from '../../company/name-fault.ts'
import { aggregationRules } from '../../api/engine-rules.ts'
import { type FormStep, formSteps } from '../sources-search.ts'
import { type Draft, toDeclaration } from './draft.ts'
import { readValues } from './filter-values.ts'

const nameFaults = {
  name: { empty: 'noName', tooLong: 'nameTooLong', hidden: 'nameHidden' },
  system_kind: { empty: 'noKind', tooLong: 'kindTooLong', hidden: 'kindHidden' },
} as const

type NameFaults = (typeof nameFaults)[keyof typeof nameFaults]

/** A place in the form. */
export interface Place {
  step: FormStep
  /** The control's `id`: the path by which the service names it. */
  fieldId: string
}

export interface DraftFault extends Place {
  /** Of the texts `faults.…`; undefined where only the service has words for it. */
  code:
    | DeclarationFaultCode
    | NameFaults[keyof NameFaults]
    | 'delivers'
    | 'oneValue'
    | 'notQuoted'
    | undefined
  /** In the service's words. */
  message: string
}

/** What the service would refuse and what is incomplete, in the order of the steps; at most one fault of each control. */
export function findFaults(draft: Draft): DraftFault[] {
  const faults: DraftFault[] = []
  const add = (field: string, code: DraftFault['code'], message = ''): void => {
    const place = toPlace(field)
    const isKnown = faults.some(({ fieldId }) => fieldId === place?.fieldId)
    if (place !== undefined && !isKnown) faults.push({ ...place, code, message })
  }
  for (const part of ['name', 'system_kind'] as const) {
    const fault = nameFault(draft[part])
    if (fault !== undefined) add(part, nameFaults[part][fault])
  }
  if (draft.delivers === '') add('delivers', 'delivers')
  for (const [metric, { filters }] of draft.metrics.entries()) {
    for (const [index, filter] of filters.entries()) {
      const at = `metrics[${metric}].filters[${index}].value`
      if (filter.comparison !== 'in' && filter.value.includes('\n')) add(at, 'oneValue')
      else if (readValues(filter).includes(undefined)) add(at, 'notQuoted')
    }
  }
  const declaration = toDeclaration(draft)
  for (const { field, code, message } of checkDeclaration(
    declaration,
    declaration.metrics,
    aggregationRules,
  )) {
    add(field, code, message)
  }
  return faults.toSorted((a, b) => formSteps.indexOf(a.step) - formSteps.indexOf(b.step))
}

const steps: readonly [pattern: RegExp, step: FormStep][] = [
  [/^(name|system_kind)$/, 'name'],
  [/^(channel|format)$/, 'channel'],
  [/^fields/, 'fields'],
  [/^event_time$/, 'time'],
  [/^delivers$/, 'delivers'],
  [/^metrics/, 'metrics'],
]

/** The place of a `field` that the service names, such as `metrics[0].group_by[1]` or `fields.0.name`. */
export function toPlace(field: string): Place | undefined {
  const path = field.replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]')
  const step = steps.find(([pattern]) => pattern.test(path))?.[1]
  if (step === undefined) return undefined
  const fieldId = path.replace(/(group_by)\[\d+\]$/, '$1').replace(/values(\[\d+\])?$/, 'value')
  return { step, fieldId }
}
