import { useTranslation } from 'react-i18next'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { Button, Buttons } from '../ui/button.tsx'
import { Note } from '../ui/note.tsx'
import { Comparison } from './comparison.tsx'
import { bodyOf, type Draft, draftOf, type SavedSource } from './draft.ts'

/** Where somebody saved the source while it was being changed here: theirs beside one's own, and which to go on with. */
export function Conflict({
  current,
  draft,
  change,
}: {
  current: SavedSource
  draft: Draft
  change: (change: (draft: Draft) => Draft) => void
}) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const { source, version } = current
  if (draft.revision === source.revision) return null
  const theirs = bodyOf(draftOf(current))
  const isNewVersion = version.shape_version !== draft.shape_version && version.saved_by?.name != null
  return (
    <>
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
              change((draft) => ({
                ...draft,
                revision: source.revision,
                shape_version: version.shape_version,
              }))
            }
          >
            {t('conflict.mine')}
          </Button>
          <Button small onClick={() => change(() => draftOf(current))}>
            {t('conflict.theirs')}
          </Button>
        </Buttons>
      </Note>
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
