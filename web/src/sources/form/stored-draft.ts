import type { Draft } from './draft.ts'

/** A draft stored on the device, without its example. */
interface StoredDraft {
  draft: Draft
  savedAt: string
}

/** Increased when drafts change, so that older ones are not read. */
const version = 3

/** @param sourceId null: of a new source */
export function toDraftKey(memberId: string, companyId: string, sourceId: string | null): string {
  return `numera.draft.${version}.${memberId}.${companyId}.${sourceId ?? 'new'}`
}

/** Undefined where there is none, or the browser stores nothing for this site. */
export function readStoredDraft(key: string): StoredDraft | undefined {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? 'null') as StoredDraft | null) ?? undefined
  } catch {
    return undefined
  }
}

/** @returns when it was stored; undefined where the browser did not */
export function storeDraft(key: string, draft: Draft): string | undefined {
  const savedAt = new Date().toISOString()
  try {
    localStorage.setItem(key, JSON.stringify({ draft, savedAt } satisfies StoredDraft))
    return savedAt
  } catch {
    return undefined
  }
}

export function deleteStoredDraft(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Nothing is stored.
  }
}
