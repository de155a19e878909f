import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../company/use-format.ts'
import { isolate } from '../../language/isolate.ts'
import { Button, Buttons } from '../../ui/controls/button.tsx'
import { Note } from '../../ui/feedback/note.tsx'
import { Comparison } from '../comparison.tsx'
import type { SavedSource } from '../declaration.ts'
import { focusLater } from '../focus-later.ts'
import { type ChangeDraft, type Draft, toBody, toDraft } from './draft.ts'
import { stepHeadingId } from './step-card.tsx'

interface ConflictProps {
  current: SavedSource
  draft: Draft
  change: ChangeDraft
}

/** Another member saved the source while it was edited here: compares both, and asks which to continue with. */
export function Conflict({ current, draft, change }: ConflictProps) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const { source, version } = current
  const { revision } = source
  const { shape_version, saved_by, saved_at } = version
  const who = shape_version === draft.shape_version ? undefined : saved_by?.name
  const continueWith = (chosen: Draft): void => {
    change(() => chosen)
    focusLater(stepHeadingId)
  }
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The save button is at the other end of the page.
    if (document.activeElement?.closest('footer') != null) box.current?.focus()
  }, [])
  const title =
    who == null
      ? t('conflict.title')
      : t('conflict.titleBy', { who: isolate(who), when: format.instant(saved_at) })
  return (
    <>
      <div ref={box} tabIndex={-1}>
        <Note tone="amber" icon="members" role="alert" title={title}>
          <p>{t('conflict.text')}</p>
          <Buttons>
            <Button small onClick={() => continueWith({ ...draft, revision, shape_version })}>
              {t('conflict.mine')}
            </Button>
            <Button small onClick={() => continueWith(toDraft(current))}>
              {t('conflict.theirs')}
            </Button>
          </Buttons>
        </Note>
      </div>
      <Comparison
        title={t('conflict.compared')}
        left={toBody(toDraft(current))}
        right={toBody(draft)}
        leftHead={t('conflict.saved')}
        rightHead={t('conflict.yours')}
      />
    </>
  )
}
