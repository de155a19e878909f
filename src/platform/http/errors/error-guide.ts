import type { ErrorCode } from './errors.ts'

/** What each code means and what a client does about it: the words of the API document and of docs/errors.md. */
export interface ErrorGuide {
  /** When it is answered, where a route says nothing more specific; Markdown. */
  when: string
  /** What a client does. */
  action: string
  /** A message as it may read. Clients do not parse it. */
  message: string
  /** An example's `field`. */
  field?: string
}

export const errorGuide: Record<ErrorCode, ErrorGuide> = {
  invalid_argument: {
    when: 'Something about the request is malformed or missing; `field` names what to fix.',
    action: 'Fix it and send it again; unchanged it gets the same answer.',
    message: 'The value of from is not a date.',
    field: 'from',
  },
  credential_in_url: {
    when: 'A credential was put in the URL. Checked before anything else.',
    action: 'Move it to the `Authorization` header, and rotate it: URLs are logged on their way.',
    message: 'A credential was sent in the URL; send it in the Authorization header, and rotate it.',
  },
  unauthenticated: {
    when: 'The token or static credential is missing, unknown, revoked or expired, or its connection is not signed yet; or a webhook is not signed.',
    action: 'With client credentials get a new token once and send it again; a second 401 is final.',
    message: 'The credential is unknown, revoked, expired or not signed yet.',
  },
  permission_denied: {
    when: 'The connection lacks the permission, or an app tried a change.',
    action: 'Do not send it again; make a connection with the permission.',
    message: 'The connection lacks the permission metrics.read: use one that has it.',
  },
  sign_in_again: {
    when: 'The act gives others access, and the session’s sign-in is older than the deployment allows for that. Nothing was changed.',
    action: 'Sign in again as the same person, then send it again.',
    message: 'This requires a sign-in within the last 30 minutes. Sign in again, then send it again.',
  },
  docs_origin_needs_sandbox: {
    when: 'A production connection was used from the interactive API reference.',
    action: 'Use a sandbox connection or the demo connection there.',
    message: 'From the API reference only a sandbox connection or the demo connection may call.',
  },
  webhook_only: {
    when: 'The source takes signed webhooks only.',
    action: 'Do not send it again: nothing can be pushed to this source.',
    message: 'The source takes signed webhooks only: send them to /v1/webhooks/{source_id}.',
  },
  not_found: {
    when: 'There is no such address, or nothing of that id for this caller: only the message tells which.',
    action: 'Do not send it again.',
    message: 'There is nothing of that id for this caller.',
  },
  method_not_allowed: {
    when: 'The address takes other methods; `Allow` names them.',
    action: 'Use one of those methods.',
    message: 'This address takes POST, not GET.',
  },
  source_paused: {
    when: 'The company has paused the source. Nothing was kept.',
    action: 'Stop; once it is resumed, send the same data with the same keys.',
    message: 'The source is paused.',
  },
  key_reused: {
    when: 'The key or delivery id is already that of another body. The first delivery stands.',
    action: 'Do not send it again; another body needs another key.',
    message: 'The key was used for another body, whose delivery stands: give another body another key.',
  },
  conflict: {
    when: 'It is no longer as the page or an earlier answer showed it, it would break something else, or the company has as many as it may.',
    action: 'Read it again and decide again.',
    message:
      'The samples have changed since the answer that gave the cursor: read again from the start, without it.',
    field: 'cursor',
  },
  too_large: {
    when: 'The body is larger than the address takes.',
    action: 'Send less in one call.',
    message: 'The body is larger than this address takes.',
  },
  unsupported_media_type: {
    when: 'The address does not take that media type.',
    action: 'Do not send it again unchanged.',
    message: 'This address does not accept that Content-Type; send application/json.',
  },
  rate_limited: {
    when: 'There were too many requests, or the company holds as much as it may: the message says which limit.',
    action: 'Wait `Retry-After` seconds and send the same request again.',
    message: 'There were too many requests; wait as long as Retry-After says.',
  },
  internal: {
    when: 'The service could not take it.',
    action: 'Send it again with the same key, waiting longer each time.',
    message: 'The service cannot take this now; send it again.',
  },
}

/** The codes in the order of the table. */
export function getCodes(): ErrorCode[] {
  return Object.keys(errorGuide) as ErrorCode[]
}
