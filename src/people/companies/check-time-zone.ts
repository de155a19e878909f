import { invalidArgument } from '../../platform/http/errors/errors.ts'

/**
 * An IANA time zone by name, in its own spelling (`europe/stockholm` is `Europe/Stockholm`). A bare offset is not one:
 * it has no summer time.
 *
 * @throws 400 `invalid_argument` with field `time_zone`
 */
export function checkTimeZone(name: string): string {
  try {
    if (/^[A-Za-z]/.test(name)) return new Temporal.ZonedDateTime(0n, name).timeZoneId
  } catch {
    // Thrown below.
  }
  throw invalidArgument('It must be the name of an IANA time zone, such as Europe/Stockholm.', 'time_zone')
}
