import { en } from '../language/apps.en.ts'
import { sv } from '../language/apps.sv.ts'
import { addTexts } from '../language/language.ts'
import { useMember } from '../session/member.ts'
import { AppList } from './app-list.tsx'

addTexts('apps', { en, sv })

/** What the member allows apps, and the button to end it (`/apps`). */
export function AppsPage() {
  return <AppList session={useMember()} />
}
