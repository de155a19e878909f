import type { Draft } from './draft.ts'

/** A draft as it is kept on the device: what was typed, and nothing of an example. */
export interface StoredDraft {
  draft: Draft
  savedAt: string
}

/** Grows when drafts become otherwise: older ones are not read. */
const form = 2

/** @param sourceId null: of a source that is not made yet */
export function draftKey(memberId: string, companyId: string, sourceId: string | null): string {
  return `numera.draft.${form}.${memberId}.${companyId}.${sourceId ?? 'new'}`
}

/** Undefined where there is none, or the browser stores nothing for this site. */
export function readStoredDraft(key: string): StoredDraft | undefined {
  try {
    const text = localStorage.getItem(key)
    return text === null ? undefined : (JSON.parse(text) as StoredDraft)
  } catch {
    return undefined
  }
}

/** @returns whether the browser has kept it */
export function storeDraft(key: string, stored: StoredDraft): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(stored))
    return true
  } catch {
    return false
  }
}

export function deleteStoredDraft(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Then there is none.
  }
}
