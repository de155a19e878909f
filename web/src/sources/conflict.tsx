import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { Button, Buttons } from '../ui/button.tsx'
import { Note } from '../ui/note.tsx'
import { Comparison } from './comparison.tsx'
import { bodyOf, type Draft, draftOf, type SavedSource } from './draft.ts'
import { focusLater } from './focus-later.ts'
import { stepHeadingId } from './step-heading.tsx'

interface ConflictProps {
  current: SavedSource
  draft: Draft
  change: (change: (draft: Draft) => Draft) => void
}

/** Where somebody saved the source while it was being changed here: theirs beside one's own, and which to go on with. */
export function Conflict(props: ConflictProps) {
  const { current, draft } = props
  return draft.revision !== current.source.revision && <BothSides {...props} />
}

function BothSides({ current, draft, change }: ConflictProps) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const { source, version } = current
  const theirs = bodyOf(draftOf(current))
  const isNewVersion = version.shape_version !== draft.shape_version && version.saved_by?.name != null
  const goOnWith = (chosen: (draft: Draft) => Draft): void => {
    change(chosen)
    focusLater(stepHeadingId)
  }
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The button that saves is at the other end of the page.
    if (document.activeElement?.closest('footer') != null) box.current?.focus()
  }, [])
  return (
    <>
      <div ref={box} tabIndex={-1}>
        <Note
          tone="amber"
          icon="members"
          role="alert"
          title={
            isNewVersion
              ? t('conflict.titleBy', {
                  who: isolate(version.saved_by!.name!),
                  when: format.instant(version.saved_at),
                })
              : t('conflict.title')
          }
        >
          <p>{t('conflict.text')}</p>
          <Buttons>
            <Button
              small
              onClick={() =>
                goOnWith((draft) => ({
                  ...draft,
                  revision: source.revision,
                  shape_version: version.shape_version,
                }))
              }
            >
              {t('conflict.mine')}
            </Button>
            <Button small onClick={() => goOnWith(() => draftOf(current))}>
              {t('conflict.theirs')}
            </Button>
          </Buttons>
        </Note>
      </div>
      <Comparison
        title={t('conflict.compared')}
        left={theirs}
        right={bodyOf(draft)}
        leftHead={t('conflict.saved')}
        rightHead={t('conflict.yours')}
      />
    </>
  )
}
