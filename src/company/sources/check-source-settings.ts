import { checkDisplayText } from '../../platform/http/requests/check-display-text.ts'
import type { SourceSettings } from './source.ts'

/** @throws 400 `invalid_argument` that names the setting */
export function checkSourceSettings(settings: SourceSettings): SourceSettings {
  return {
    ...settings,
    name: checkDisplayText(settings.name, 'name'),
    systemKind: checkDisplayText(settings.systemKind, 'system_kind'),
  }
}
