import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useCompany } from '../../company/company.ts'
import { useMember } from '../../session/member.ts'
import { type ChangeDraft, type Draft, isSame } from './draft.ts'
import { deleteStoredDraft, readStoredDraft, storeDraft, toDraftKey } from './stored-draft.ts'

/** How long after the last change a draft is stored. */
const storeAfterMs = 400

/**
 * A draft, stored on this device for this member while it is edited.
 *
 * @param start the saved source, from which the draft starts. A draft without changes follows it.
 */
export function useDraft(sourceId: string | null, start: Draft) {
  const { company_id } = useCompany()
  const { member_id } = useMember()
  const key = toDraftKey(member_id, company_id, sourceId)
  const [stored] = useState(() => readStoredDraft(key))
  const [draft, setDraft] = useState(stored?.draft ?? start)
  const [before, setBefore] = useState(start)
  const [storedAt, setStoredAt] = useState(stored?.savedAt)
  const [wasStored, setWasStored] = useState(stored !== undefined && !isSame(stored.draft, start))
  const isOver = useRef(false)
  if (before !== start) {
    setBefore(start)
    if (isSame(draft, before) || isSame(draft, start)) setDraft(start)
  }
  const isDirty = !isSame(draft, start)
  useEffect(() => {
    const timer = setTimeout(() => {
      if (isOver.current) return
      // Changed back to what is saved.
      if (!isDirty) deleteStoredDraft(key)
      setStoredAt(isDirty ? storeDraft(key, draft) : undefined)
    }, storeAfterMs)
    return () => clearTimeout(timer)
  }, [key, draft, isDirty])
  const onLeave = useEffectEvent(() => {
    if (isDirty && !isOver.current) storeDraft(key, draft)
  })
  // Leaving does not wait for the timer.
  useEffect(() => () => onLeave(), [])
  return {
    draft,
    change: setDraft as ChangeDraft,
    /** It has unsaved changes. */
    isDirty,
    /** When it was stored on this device; undefined: it was not. */
    storedAt,
    /** It was stored on an earlier visit, and differs from the source. */
    wasStored,
    /** Returns to the saved source. */
    discard: () => {
      deleteStoredDraft(key)
      setDraft(start)
      setStoredAt(undefined)
      setWasStored(false)
    },
    /** It is saved or given up. */
    end: () => {
      isOver.current = true
      deleteStoredDraft(key)
    },
  }
}

/** A value once it has stayed the same for a while. */
export function useSettled<Value>(value: Value, afterMs: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs)
    return () => clearTimeout(timer)
  }, [value, afterMs])
  return settled
}
