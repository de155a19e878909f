import { checkDisplayText } from '../http/check-display-text.ts'
import type { SourceSettings } from './source.ts'

/** @throws 400 `invalid_argument` that names the setting */
export const checkSourceSettings = (settings: SourceSettings): SourceSettings => ({
  ...settings,
  name: checkDisplayText(settings.name, 'name'),
  systemKind: checkDisplayText(settings.systemKind, 'system_kind'),
})
