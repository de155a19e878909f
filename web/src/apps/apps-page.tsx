import { useMember } from '../session/member.ts'
import { AppList } from './app-list.tsx'

/** What the member allows apps, and the button to end it (`/apps`). */
export function AppsPage() {
  return <AppList session={useMember()} />
}
