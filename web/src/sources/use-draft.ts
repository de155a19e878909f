import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useCompany } from '../company/company.ts'
import { useMember } from '../session/member.ts'
import { type Draft, isSame } from './draft.ts'
import { deleteStoredDraft, draftKey, readStoredDraft, storeDraft } from './stored-draft.ts'

/** How long nothing is typed before a draft is kept. */
const keepAfterMs = 400

export interface KeptDraft {
  draft: Draft
  change: (change: (draft: Draft) => Draft) => void
  /** Something was changed that is not saved. */
  isDirty: boolean
  /** When it was kept on this device; undefined: it was not. */
  keptAt: string | undefined
  /** It was there from before, and is not as the source is. */
  wasKept: boolean
  /** Back to what it began from; what was kept is kept no more. */
  discard: () => void
  /** It is saved, or given up. */
  forget: () => void
}

/**
 * A draft that is kept on this device while it is written, for this member alone.
 *
 * @param start what is saved, and so what it begins from where none was kept. A draft that nobody has changed follows it.
 */
export function useDraft(sourceId: string | null, start: Draft): KeptDraft {
  const { company_id } = useCompany()
  const { member_id } = useMember()
  const key = draftKey(member_id, company_id, sourceId)
  const [stored] = useState(() => readStoredDraft(key))
  const [draft, setDraft] = useState(stored?.draft ?? start)
  const [began, setBegan] = useState(start)
  const [keptAt, setKeptAt] = useState(stored?.savedAt)
  const [wasKept, setWasKept] = useState(stored !== undefined && !isSame(stored.draft, start))
  const isOver = useRef(false)
  if (began !== start) {
    setBegan(start)
    if (isSame(draft, began) || isSame(draft, start)) setDraft(start)
  }
  const isDirty = !isSame(draft, start)
  useEffect(() => {
    const timer = setTimeout(() => {
      if (isOver.current) return
      if (!isDirty) {
        // Typed back to what is saved: nothing is left to keep.
        deleteStoredDraft(key)
        return setKeptAt(undefined)
      }
      const savedAt = new Date().toISOString()
      setKeptAt(storeDraft(key, { draft, savedAt }) ? savedAt : undefined)
    }, keepAfterMs)
    return () => clearTimeout(timer)
  }, [key, draft, isDirty])
  const leave = useEffectEvent(() => {
    if (isDirty && !isOver.current) storeDraft(key, { draft, savedAt: new Date().toISOString() })
  })
  // Whoever leaves does not wait for the timer.
  useEffect(() => () => leave(), [])
  const forget = (): void => {
    isOver.current = true
    deleteStoredDraft(key)
  }
  return {
    draft,
    change: setDraft,
    isDirty,
    keptAt,
    wasKept,
    discard: () => {
      deleteStoredDraft(key)
      setDraft(start)
      setKeptAt(undefined)
      setWasKept(false)
    },
    forget,
  }
}

/** A value that has stayed the same for a while. */
export function useSettled<Value>(value: Value, afterMs: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs)
    return () => clearTimeout(timer)
  }, [value, afterMs])
  return settled
}
