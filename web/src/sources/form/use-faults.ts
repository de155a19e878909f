import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldFault } from '../../ui/feedback/error-summary.tsx'
import type { FormStep } from '../sources-search.ts'
import type { Draft } from './draft.ts'
import { type DraftFault, findFaults, type Place } from './find-faults.ts'

/** The faults that are shown: those of steps that were left or sent, and the service's refusal of the current draft. */
export function useFaults(draft: Draft) {
  const { t } = useTranslation('sources')
  const [tried, setTried] = useState<readonly FormStep[]>([])
  const [refused, setRefused] = useState<{ draft: Draft; fault: DraftFault }>()
  const [sent, setSent] = useState<readonly DraftFault[]>([])
  const faults = findFaults(draft)
  const shown = faults.filter(({ step }) => tried.includes(step))
  if (refused?.draft === draft) shown.unshift(refused.fault)
  const toMessage = ({ code, message }: DraftFault): string =>
    code === undefined ? t('faults.service', { message }) : t(`faults.${code}`)
  return {
    /** What the last sending found in a step, until all of it is corrected. */
    getSummary: (step: FormStep): { faults: readonly FieldFault[]; sending: object } => {
      const isOpen = sent.some((fault) => shown.some(({ fieldId }) => fieldId === fault.fieldId))
      const listed = isOpen && sent[0]?.step === step ? sent : []
      const messages = listed.map((fault) => ({ fieldId: fault.fieldId, message: toMessage(fault) }))
      return { faults: messages, sending: sent }
    },
    getFault: (fieldId: string): string | undefined => {
      const fault = shown.find((each) => each.fieldId === fieldId)
      return fault && toMessage(fault)
    },
    isWrong: (step: FormStep): boolean => shown.some((fault) => fault.step === step),
    /** Shows the faults of some steps. @returns the first step with one */
    check: (steps: readonly FormStep[]): FormStep | undefined => {
      const first = faults.find(({ step }) => steps.includes(step))?.step
      setTried((known) => [...new Set([...known, ...steps])])
      setSent(faults.filter(({ step }) => step === first))
      return first
    },
    /** Shows what the service refused. */
    refuse: (place: Place, message: string): void => {
      const fault = { ...place, code: undefined, message }
      setRefused({ draft, fault })
      setSent([fault])
    },
  }
}
