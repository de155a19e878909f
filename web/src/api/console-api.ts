// Written by `npm run openapi` from openapi/console.json.

export interface ConsoleApi {
  'GET /console/apps': {
    query: {
      cursor?: string
      limit?: string
    }
    answer: AppConnectionList
  }
  'GET /console/apps/{connection_id}/calls': {
    path: {
      connection_id: string
    }
    query: {
      cursor?: string
      limit?: string
    }
    answer: AppCallList
  }
  'POST /console/apps/{connection_id}/end': {
    path: {
      connection_id: string
    }
    /**
     * An empty object.
     */
    body: {}
    answer: AppConnection
  }
  'POST /console/authorize': {
    body: AuthorizeQuery
    answer: ConsentQuestion | AuthorizeRedirect
  }
  'POST /console/authorize/deny': {
    body: AuthorizeQuery
    answer: ConsentDenial
  }
  'POST /console/authorize/sign': {
    body: ConsentChoice
    answer: ConsentSigning | AuthorizeRedirect
  }
  'POST /console/authorize/sign/{order_id}/cancel': {
    path: {
      order_id: string
    }
    /**
     * An empty object.
     */
    body: {}
    answer: undefined
  }
  'POST /console/authorize/sign/{order_id}/collect': {
    path: {
      order_id: string
    }
    body: AuthorizeQuery
    answer: ConsentProgress
  }
  'GET /console/companies/{company_id}': {
    path: {
      company_id: string
    }
    answer: Company
  }
  'GET /console/companies/{company_id}/connections': {
    path: {
      company_id: string
    }
    query: {
      cursor?: string
      limit?: string
    }
    answer: ConnectionList
  }
  'POST /console/companies/{company_id}/connections': {
    path: {
      company_id: string
    }
    body: NewConnection
    answer: MadeConnection
  }
  'GET /console/companies/{company_id}/connections/{connection_id}': {
    path: {
      company_id: string
      connection_id: string
    }
    answer: Connection
  }
  'POST /console/companies/{company_id}/connections/{connection_id}/release': {
    path: {
      company_id: string
      connection_id: string
    }
    /**
     * An empty object.
     */
    body: {}
    answer: undefined
  }
  'POST /console/companies/{company_id}/connections/{connection_id}/revoke': {
    path: {
      company_id: string
      connection_id: string
    }
    /**
     * An empty object.
     */
    body: {}
    answer: Connection
  }
  'POST /console/companies/{company_id}/connections/{connection_id}/rotate': {
    path: {
      company_id: string
      connection_id: string
    }
    body: Rotation
    answer: RotatedConnection
  }
  'POST /console/companies/{company_id}/connections/{connection_id}/sign': {
    path: {
      company_id: string
      connection_id: string
    }
    /**
     * An empty object.
     */
    body: {}
    answer: BegunOrder
  }
  'POST /console/companies/{company_id}/connections/{connection_id}/sign/{order_id}/cancel': {
    path: {
      company_id: string
      connection_id: string
      order_id: string
    }
    /**
     * An empty object.
     */
    body: {}
    answer: undefined
  }
  'POST /console/companies/{company_id}/connections/{connection_id}/sign/{order_id}/collect': {
    path: {
      company_id: string
      connection_id: string
      order_id: string
    }
    /**
     * An empty object.
     */
    body: {}
    answer: ConnectionSigningProgress
  }
  'GET /console/companies/{company_id}/deliveries': {
    path: {
      company_id: string
    }
    query: {
      cursor?: string
      limit?: string
      source?: string
      state?: 'queued' | 'parsed' | 'unreadable' | 'refused'
      channel?: 'push' | 'webhook'
      sandbox?: 'true' | 'false'
      from?: string
      to?: string
      search?: string
    }
    answer: DeliveryList
  }
  'GET /console/companies/{company_id}/deliveries/{artifact_id}': {
    path: {
      company_id: string
      artifact_id: string
    }
    answer: DeliveryReportInFull
  }
  'GET /console/companies/{company_id}/deliveries/{artifact_id}/rows': {
    path: {
      company_id: string
      artifact_id: string
    }
    query: {
      cursor?: string
      limit?: string
      refused?: 'true' | 'false'
    }
    answer: DeliveryRows
  }
  'GET /console/companies/{company_id}/deliveries/{artifact_id}/samples': {
    path: {
      company_id: string
      artifact_id: string
    }
    query: {
      cursor?: string
      limit?: string
    }
    answer: ChangedSamples
  }
  'GET /console/companies/{company_id}/deliveries/events': {
    path: {
      company_id: string
    }
    answer: undefined
  }
  'GET /console/companies/{company_id}/last-deliveries': {
    path: {
      company_id: string
    }
    query: {
      cursor?: string
      limit?: string
      sandbox?: 'true' | 'false'
    }
    answer: LastDeliveries
  }
  'GET /console/companies/{company_id}/members': {
    path: {
      company_id: string
    }
    query: {
      cursor?: string
      limit?: string
    }
    answer: MemberList
  }
  'POST /console/companies/{company_id}/members': {
    path: {
      company_id: string
    }
    body: Invitation
    answer: Member
  }
  'PATCH /console/companies/{company_id}/members/{member_id}': {
    path: {
      company_id: string
      member_id: string
    }
    body: RoleChange
    answer: Member
  }
  'DELETE /console/companies/{company_id}/members/{member_id}': {
    path: {
      company_id: string
      member_id: string
    }
    answer: undefined
  }
  'GET /console/companies/{company_id}/refused-calls': {
    path: {
      company_id: string
    }
    query: {
      cursor?: string
      limit?: string
      source?: string
      connection?: string
      channel?: 'push' | 'webhook' | 'read'
    }
    answer: RefusedCalls
  }
  'GET /console/companies/{company_id}/signatures': {
    path: {
      company_id: string
    }
    query: {
      cursor?: string
      limit?: string
    }
    answer: SignatureList
  }
  'GET /console/companies/{company_id}/sources': {
    path: {
      company_id: string
    }
    query: {
      cursor?: string
      limit?: string
    }
    answer: SourceList
  }
  'POST /console/companies/{company_id}/sources': {
    path: {
      company_id: string
    }
    body: NewSource
    answer: MadeSource
  }
  'GET /console/companies/{company_id}/sources/{source_id}': {
    path: {
      company_id: string
      source_id: string
    }
    query: {
      cursor?: string
      limit?: string
    }
    answer: SourceWithVersions
  }
  'PATCH /console/companies/{company_id}/sources/{source_id}': {
    path: {
      company_id: string
      source_id: string
    }
    body: SourceChange
    answer: MadeSource
  }
  'PUT /console/companies/{company_id}/sources/{source_id}/declaration': {
    path: {
      company_id: string
      source_id: string
    }
    body: DeclarationSave
    answer: SavedDeclaration
  }
  'POST /console/companies/{company_id}/sources/{source_id}/pause': {
    path: {
      company_id: string
      source_id: string
    }
    /**
     * An empty object.
     */
    body: {}
    answer: undefined
  }
  'POST /console/companies/{company_id}/sources/{source_id}/refold': {
    path: {
      company_id: string
      source_id: string
    }
    /**
     * An empty object.
     */
    body: {}
    answer: undefined
  }
  'POST /console/companies/{company_id}/sources/{source_id}/resume': {
    path: {
      company_id: string
      source_id: string
    }
    /**
     * An empty object.
     */
    body: {}
    answer: undefined
  }
  'POST /console/companies/{company_id}/sources/{source_id}/rotate-signing-secret': {
    path: {
      company_id: string
      source_id: string
    }
    /**
     * An empty object.
     */
    body: {}
    answer: RotatedSource
  }
  'GET /console/companies/{company_id}/sources/{source_id}/samples': {
    path: {
      company_id: string
      source_id: string
    }
    query: {
      from?: string
      to?: string
      metric?: string
    }
    answer: Samples
  }
  'GET /console/companies/{company_id}/usage': {
    path: {
      company_id: string
    }
    answer: CompanyUsage
  }
  'GET /console/known-metrics': {
    answer: KnownMetrics
  }
  'GET /console/session': {
    answer: Session
  }
  'POST /console/sign-in': {
    /**
     * An empty object.
     */
    body: {}
    answer: BegunOrder
  }
  'POST /console/sign-in/{order_id}/cancel': {
    path: {
      order_id: string
    }
    /**
     * An empty object.
     */
    body: {}
    answer: undefined
  }
  'POST /console/sign-in/{order_id}/collect': {
    path: {
      order_id: string
    }
    /**
     * An empty object.
     */
    body: {}
    answer: SignInProgress
  }
  'POST /console/sign-out': {
    /**
     * An empty object.
     */
    body: {}
    answer: undefined
  }
  'GET /console/signatures': {
    query: {
      cursor?: string
      limit?: string
    }
    answer: SignatureList
  }
}
export interface AppConnectionList {
  apps: AppConnection[]
  /**
   * Names the next page; null on the last one. Its form may change.
   */
  next_cursor: string | null
}
export interface AppConnection {
  /**
   * What you allowed the app, from your first signature on.
   */
  connection_id: string
  /**
   * The app, as it is registered.
   */
  client_id: string
  /**
   * Its name, as you saw it when you signed. Apps name themselves.
   */
  client_name: string
  /**
   * The host that it came back to when you signed.
   */
  redirect_host: string
  /**
   * `ended`: it opens nothing any more.
   */
  state: 'active' | 'ended'
  /**
   * What it may read.
   */
  permissions: ('company.read' | 'metrics.read')[]
  /**
   * Which companies it may read.
   */
  companies: {
    /**
     * All companies that you are a member of at the time of its call, later ones too.
     */
    every: boolean
    /**
     * By name; empty where it is every one. One that you leave it cannot read.
     */
    chosen: CompanyName[]
  }
  /**
   * Other servers that its tokens are for as well.
   */
  resources: string[]
  /**
   * When you first signed it.
   */
  consented_at: string
  /**
   * 90 days later. Adding to it moves no end.
   */
  expires_at: string
  /**
   * When it ended; null while it is active.
   */
  ended_at: string | null
  ended_by: ('member' | 'operator' | 'expiry') | null
  /**
   * Its last call that is on record: a few seconds late, and null where there is none.
   */
  last_called_at: string | null
}
export interface CompanyName {
  /**
   * The company.
   */
  company_id: string
  /**
   * Organisation number as it is shown.
   */
  orgnr: string
  /**
   * Its name.
   */
  name: string
}
export interface AppCallList {
  calls: AppCall[]
  /**
   * Names the next page; null on the last one. Its form may change.
   */
  next_cursor: string | null
}
/**
 * `company` is null where the call was about none, or about none that it may read.
 */
export interface AppCall {
  /**
   * The call.
   */
  call_id: string
  company: CompanyName | null
  /**
   * Such as `GET`.
   */
  method: string
  /**
   * Without the query.
   */
  path: string
  /**
   * Of the answer.
   */
  status: number
  /**
   * Of the error; null for a success.
   */
  code: string | null
  /**
   * When.
   */
  called_at: string
}
export interface AuthorizeQuery {
  /**
   * The query of the page’s own address, as it stands there.
   */
  query: string
}
/**
 * What an app asks the member for.
 */
export interface ConsentQuestion {
  /**
   * The member is to decide.
   */
  state: 'consent'
  app: {
    /**
     * The app.
     */
    client_id: string
    /**
     * As the app calls itself: anybody may register any name.
     */
    client_name: string
    /**
     * The host that the member is sent to; to be shown with the name.
     */
    redirect_host: string
    /**
     * Where the member is sent to.
     */
    redirect_uri: string
  }
  /**
   * What the app asks for. What it does not hold yet starts ticked.
   */
  permissions: {
    /**
     * What the app would read.
     */
    permission: 'company.read' | 'metrics.read'
    /**
     * Whether the app is allowed it already.
     */
    held: boolean
  }[]
  companies: {
    /**
     * The companies of the member, by name.
     */
    choices: {
      /**
       * The company.
       */
      company_id: string
      /**
       * Organisation number as it is shown.
       */
      orgnr: string
      /**
       * Its name.
       */
      name: string
      /**
       * The app suggests it: it starts ticked.
       */
      suggested: boolean
      /**
       * Whether the app is allowed it already.
       */
      held: boolean
    }[]
    /**
     * The app is allowed all of them already, later ones too.
     */
    every_held: boolean
  }
  /**
   * They belong to what is asked and cannot be unticked.
   */
  resources: {
    /**
     * Another server that the tokens are for.
     */
    resource: string
    /**
     * Whether the app is allowed it already.
     */
    held: boolean
  }[]
  /**
   * When the access ends. Adding to it does not move the end.
   */
  ends_at: string
  /**
   * True where the app has access already: then only what is new is shown and signed.
   */
  adds: boolean
}
export interface AuthorizeRedirect {
  /**
   * There is nothing to ask the member.
   */
  state: 'redirect'
  /**
   * Where the browser goes now.
   */
  location: string
}
export interface ConsentDenial {
  /**
   * Where the browser goes now.
   */
  location: string
}
export interface ConsentChoice {
  /**
   * The query of the page’s own address, as it stands there.
   */
  query: string
  /**
   * Those that are ticked.
   *
   * @maxItems 2
   *
   * Items: What the app would read.
   */
  permissions: ('company.read' | 'metrics.read')[]
  /**
   * Which companies.
   */
  companies: {
    /**
     * All companies of the member, later ones too.
     */
    every: boolean
    /**
     * Those that are ticked, where it is not every one.
     *
     * @maxItems 200
     *
     * Items: A company.
     */
    company_ids?: string[]
  }
  /**
   * Of the text that is signed; English unless said.
   */
  language?: 'en' | 'sv'
}
export interface ConsentSigning {
  /**
   * The member is to sign.
   */
  state: 'signing'
  /**
   * Names the order when asking how it stands.
   */
  order_id: string
  /**
   * When it has failed if nobody answered.
   */
  expires_at: string
  /**
   * True with the demo’s electronic identity: anyone may claim to be anyone.
   */
  demo: boolean
  presentation: Presentation
  /**
   * What the person is asked to sign.
   */
  visible_text?: string
}
/**
 * How the person goes on.
 */
export interface Presentation {
  /**
   * To be opened in the same browser: the demo’s page, or the broker’s.
   */
  open_url?: string
  /**
   * Starts the app on this device.
   */
  launch_url?: string
  /**
   * Text of the QR code at this moment; it changes every second.
   */
  qr_text?: string
}
export interface ConsentProgress {
  /**
   * Where it is.
   */
  state: 'pending' | 'failed' | 'complete'
  /**
   * While pending: what is waited for, as the provider says.
   */
  hint?: string
  /**
   * When failed: `refused`, `expired`, `ended`, `used`, `other_person`, or the provider’s own word.
   */
  reason?: string
  presentation?: Presentation
  /**
   * Where the browser goes now.
   */
  location?: string
}
export interface Company {
  /**
   * The company.
   */
  company_id: string
  /**
   * Organisation number as it is shown.
   */
  orgnr: string
  /**
   * Its name.
   */
  name: string
  /**
   * IANA name; days, weeks and months are counted in it.
   */
  time_zone: string
  /**
   * When it was added.
   */
  created_at: string
}
export interface ConnectionList {
  connections: Connection[]
  /**
   * Names the next page; null on the last one. Its form may change.
   */
  next_cursor: string | null
}
export interface Connection {
  /**
   * The connection.
   */
  connection_id: string
  /**
   * Whose it is. Owners also see those of other companies that act on theirs.
   */
  company: {
    /**
     * The company.
     */
    company_id: string
    /**
     * Organisation number as it is shown.
     */
    orgnr: string
    /**
     * Its name.
     */
    name: string
  }
  /**
   * At most 100 characters.
   */
  name: string
  /**
   * `made`: waits for its maker’s signature, and opens nothing until then.
   */
  state: 'made' | 'signed' | 'expired' | 'revoked'
  /**
   * What sandbox sends is test data.
   */
  kind: 'production' | 'sandbox' | 'demo'
  /**
   * `client`: a client id, and a secret that the signing creates; a token is got with them. `static`: sent as it is.
   */
  credential_kind: 'client' | 'static'
  /**
   * What it may do. Fixed when it is made.
   *
   * @minItems 1
   */
  permissions: ('sources.ingest' | 'metrics.read')[]
  /**
   * Null: bound to none, so that each call names one.
   */
  source: {
    /**
     * The source.
     */
    source_id: string
    /**
     * Its name.
     */
    name: string
  } | null
  /**
   * What it acts on beside its own company, as long as its maker manages that. Of another company’s connection: the company that asks, and no other one.
   */
  further_companies: {
    /**
     * The company.
     */
    company_id: string
    /**
     * Organisation number as it is shown.
     */
    orgnr: string
    /**
     * Its name.
     */
    name: string
  }[]
  /**
   * With client credentials; null of another company’s connection.
   */
  client_id: string | null
  made_by: {
    /**
     * Who made it.
     */
    member_id: string
    /**
     * Their name.
     */
    name: string | null
    /**
     * False where they have left the company that asks: its own connection stays.
     */
    is_member: boolean
  } | null
  /**
   * When.
   */
  made_at: string
  /**
   * The signature that it works by; null of another company’s connection.
   */
  signature_id: string | null
  /**
   * When it was signed.
   */
  signed_at: string | null
  /**
   * A year after the signing.
   */
  expires_at: string | null
  /**
   * When it was ended.
   */
  revoked_at: string | null
  /**
   * After a rotation: until when the credential before the current one works.
   */
  previous_credential_ends_at: string | null
}
export interface NewConnection {
  /**
   * At most 100 characters.
   */
  name: string
  /**
   * The source it is bound to; null: to none.
   */
  source_id: string | null
  /**
   * What it may do. Fixed when it is made.
   *
   * @minItems 1
   */
  permissions: ('sources.ingest' | 'metrics.read')[]
  /**
   * What sandbox sends is test data.
   */
  kind: 'production' | 'sandbox'
  /**
   * `client`: a client id, and a secret that the signing creates; a token is got with them. `static`: sent as it is.
   */
  credential_kind: 'client' | 'static'
  /**
   * Companies beside this one that you are owner or developer of; only without a source.
   *
   * @maxItems 100
   *
   * Items: A company.
   */
  further_company_ids?: string[]
}
export interface MadeConnection {
  connection: Connection
  /**
   * The static credential, which opens nothing until signed. Shown here and never again.
   */
  credential?: string
}
export interface Rotation {
  /**
   * How long the old one works; 24 unless said.
   */
  overlap_hours?: number
}
export interface RotatedConnection {
  connection: Connection
  /**
   * The new client secret or static credential. Shown here and never again.
   */
  credential: string
}
/**
 * An order at the electronic identity that waits for the person.
 */
export interface BegunOrder {
  /**
   * Names the order when asking how it stands.
   */
  order_id: string
  /**
   * When it has failed if nobody answered.
   */
  expires_at: string
  /**
   * True with the demo’s electronic identity: anyone may claim to be anyone.
   */
  demo: boolean
  presentation: Presentation
  /**
   * What the person is asked to sign.
   */
  visible_text?: string
}
export interface ConnectionSigningProgress {
  /**
   * `completed_before`: another call got the result.
   */
  state: 'pending' | 'failed' | 'complete' | 'completed_before'
  /**
   * While pending: what is waited for, as the provider says.
   */
  hint?: string
  /**
   * When failed: `refused`, `expired`, `ended`, `used`, `other_person`, or the provider’s own word.
   */
  reason?: string
  presentation?: Presentation
  connection?: Connection
  /**
   * When complete, with client credentials: the secret. Shown here and never again.
   */
  secret?: string
}
/**
 * `count` is of all pages, and comes with the first; null on the others.
 */
export interface DeliveryList {
  deliveries: DeliveryReport[]
  count: DeliveryCount | null
  /**
   * Where the search ended before the page was full: nothing received later is left out.
   */
  searched_to: string | null
  /**
   * Names the next page; null on the last one. Its form may change.
   */
  next_cursor: string | null
}
export interface DeliveryReport {
  /**
   * The delivery.
   */
  artifact_id: string
  /**
   * Its source.
   */
  source_id: string
  /**
   * How it came.
   */
  channel: 'push' | 'webhook'
  /**
   * What is kept is written in it.
   */
  format: 'json' | 'json_lines' | 'csv' | 'sie'
  /**
   * Its idempotency key, or the delivery id of a webhook.
   */
  key: string
  connection: DeliveryConnection | null
  /**
   * Whether it is test data.
   */
  sandbox: boolean
  /**
   * When it was received.
   */
  received_at: string
  /**
   * The version that it is parsed under.
   */
  shape_version: number
  /**
   * What the source delivered when it was received.
   */
  delivers: 'events' | 'statements'
  /**
   * Size of what is kept.
   */
  content_bytes: number
  /**
   * `unreadable`: stored, but its content is broken, and no row counts.
   */
  state: 'queued' | 'parsed' | 'unreadable'
  /**
   * Why it is unreadable.
   */
  reason: string | null
  /**
   * Rows that count. Null while it is queued.
   */
  rows_accepted: number | null
  /**
   * Rows that do not fit the fields. Null while it is queued.
   */
  rows_refused: number | null
  /**
   * Accepted rows of which some timestamp was a date alone. Null while it is queued.
   */
  rows_date_alone: number | null
}
/**
 * The connection that it came over. Null for a webhook, and where it is another company’s.
 */
export interface DeliveryConnection {
  /**
   * The connection.
   */
  connection_id: string
  /**
   * Its name.
   */
  name: string
}
export interface DeliveryCount {
  /**
   * How many there are, at most 10000.
   */
  deliveries: number
  /**
   * Whether there are more than were counted.
   */
  more: boolean
}
export interface DeliveryReportInFull {
  /**
   * The delivery.
   */
  artifact_id: string
  /**
   * Its source.
   */
  source_id: string
  /**
   * How it came.
   */
  channel: 'push' | 'webhook'
  /**
   * What is kept is written in it.
   */
  format: 'json' | 'json_lines' | 'csv' | 'sie'
  /**
   * Its idempotency key, or the delivery id of a webhook.
   */
  key: string
  connection: DeliveryConnection | null
  /**
   * Whether it is test data.
   */
  sandbox: boolean
  /**
   * When it was received.
   */
  received_at: string
  /**
   * The version that it is parsed under.
   */
  shape_version: number
  /**
   * What the source delivered when it was received.
   */
  delivers: 'events' | 'statements'
  /**
   * Size of what is kept.
   */
  content_bytes: number
  /**
   * `unreadable`: stored, but its content is broken, and no row counts.
   */
  state: 'queued' | 'parsed' | 'unreadable'
  /**
   * Why it is unreadable.
   */
  reason: string | null
  /**
   * Rows that count. Null while it is queued.
   */
  rows_accepted: number | null
  /**
   * Rows that do not fit the fields. Null while it is queued.
   */
  rows_refused: number | null
  /**
   * Accepted rows of which some timestamp was a date alone. Null while it is queued.
   */
  rows_date_alone: number | null
  /**
   * SHA-256 of the body as it was received.
   */
  sha256: string
  /**
   * Undeclared keys that were not kept, at most 50.
   */
  dropped_keys: string[]
  /**
   * When it was parsed. Null while it is queued.
   */
  parsed_at: string | null
  /**
   * The first 100 refused rows.
   */
  refusals: Refusal[]
  /**
   * The delivery before it of the same source, test or production as it is.
   */
  older_artifact_id: string | null
  /**
   * The one after it.
   */
  newer_artifact_id: string | null
}
export interface Refusal {
  /**
   * The row's number in the delivery, from 1.
   */
  row: number
  /**
   * The line that the row begins on, from 1, in the document as it is stored; for CSV, JSON lines and SIE.
   */
  line?: number
  /**
   * The field concerned; absent where it is the whole row.
   */
  field?: string
  /**
   * Short machine-readable reason.
   */
  code:
    | 'event_time_missing'
    | 'event_time_out_of_range'
    | 'value_not_plain'
    | 'text_too_long'
    | 'text_not_storable'
    | 'number_malformed'
    | 'number_too_long'
    | 'timestamp_malformed'
    | 'timestamp_no_offset'
    | 'timestamp_no_such_day'
    | 'timestamp_no_such_time'
    | 'bool_malformed'
    | 'label_too_long'
    | 'allowance_spent'
    | 'cells_differ'
  /**
   * The reason as a sentence.
   */
  reason: string
}
export interface DeliveryRows {
  /**
   * Those of the version that the delivery is parsed under.
   */
  fields: ShownField[]
  rows: ShownRow[]
  /**
   * Refused rows behind this one are not told: only the first 100 are. Null: all are.
   */
  refusals_known_to: number | null
  broken: BrokenRow | null
  /**
   * Names the next page; null on the last one. Its form may change.
   */
  next_cursor: string | null
}
export interface ShownField {
  /**
   * Its name.
   */
  name: string
  /**
   * Its type.
   */
  type: 'number' | 'text' | 'timestamp' | 'bool'
  /**
   * Whether its values are masked here.
   */
  personal: boolean
}
/**
 * A row as it is kept.
 */
export interface ShownRow {
  /**
   * The row's number in the delivery, from 1.
   */
  row: number
  /**
   * The line it begins on; null for JSON.
   */
  line: number | null
  /**
   * A value for each of `fields`; null where it is missing.
   */
  values: (ShownValue | null)[] | null
  /**
   * How many cells a record has that has not one for each column: its `values` are null, since it cannot be told which of them is personal.
   */
  cells: number | null
  refusal: RowRefusal | null
}
export interface ShownValue {
  /**
   * What stands there, its first 1000 characters; of an object or a list its JSON.
   */
  text?: string
  /**
   * How long it is, where it was cut.
   */
  characters?: number
  /**
   * The field is personal: its value is not said.
   */
  masked?: true
  /**
   * Bytes of it are no UTF-8; U+FFFD stands in their place.
   */
  broken?: true
}
export interface RowRefusal {
  /**
   * The field concerned; null where it is the whole row.
   */
  field: string | null
  /**
   * Short machine-readable reason.
   */
  code:
    | 'event_time_missing'
    | 'event_time_out_of_range'
    | 'value_not_plain'
    | 'text_too_long'
    | 'text_not_storable'
    | 'number_malformed'
    | 'number_too_long'
    | 'timestamp_malformed'
    | 'timestamp_no_offset'
    | 'timestamp_no_such_day'
    | 'timestamp_no_such_time'
    | 'bool_malformed'
    | 'label_too_long'
    | 'allowance_spent'
    | 'cells_differ'
  /**
   * The reason as a sentence.
   */
  reason: string
}
export interface BrokenRow {
  /**
   * The row that cannot be read, nor those behind it.
   */
  row: number
  /**
   * Why, as a sentence.
   */
  reason: string
}
export interface ChangedSamples {
  samples: ChangedSample[]
  /**
   * How many there are, of all pages.
   */
  count: number
  /**
   * Names the next page; null on the last one. Its form may change.
   */
  next_cursor: string | null
}
export interface ChangedSample {
  /**
   * The metric.
   */
  metric: string
  /**
   * The length of the period.
   */
  period: 'day' | 'week' | 'month'
  /**
   * Its first day.
   */
  period_start: string
  /**
   * The label set.
   */
  labels: {
    [k: string]: string
  }
  /**
   * As it read from the deliveries before it; null where there was none.
   */
  before: string | null
  /**
   * What its rows come to by themselves: their sum, their number, how many different values. Null where a statement says nothing of it any more, and took it away.
   */
  gave: string | null
  /**
   * Its rows behind that.
   */
  rows: number
  /**
   * Of a distinct count of events: how many values no delivery before it had.
   */
  added: number | null
  /**
   * As it read from the deliveries up to it; null where it took it away.
   */
  after: string | null
  /**
   * Whether a later statement took its place.
   */
  superseded: boolean
}
export interface LastDeliveries {
  deliveries: DeliveryReport[]
  /**
   * Names the next page; null on the last one. Its form may change.
   */
  next_cursor: string | null
}
export interface MemberList {
  members: Member[]
  /**
   * Names the next page; null on the last one. Its form may change.
   */
  next_cursor: string | null
}
export interface Member {
  /**
   * The person.
   */
  member_id: string
  /**
   * Null until they have signed in for the first time.
   */
  name: string | null
  /**
   * `owner`: everything. `developer`: sources, connections, developer page, reports. `reader`: reports.
   */
  role: 'owner' | 'developer' | 'reader'
  /**
   * Who invited them; null for the operator.
   */
  added_by: string | null
  /**
   * When.
   */
  added_at: string
}
export interface Invitation {
  /**
   * Twelve digits, or the form with - or +.
   */
  personal_number: string
  /**
   * `owner`: everything. `developer`: sources, connections, developer page, reports. `reader`: reports.
   */
  role: 'owner' | 'developer' | 'reader'
}
export interface RoleChange {
  /**
   * `owner`: everything. `developer`: sources, connections, developer page, reports. `reader`: reports.
   */
  role: 'owner' | 'developer' | 'reader'
}
export interface RefusedCalls {
  refused_calls: RefusedCall[]
  /**
   * How many pass the filter, of all pages; with the first page, null on the others.
   */
  count: number | null
  /**
   * Names the next page; null on the last one. Its form may change.
   */
  next_cursor: string | null
}
/**
 * A call that was answered with an error of its sender’s. Never a body, never a query.
 */
export interface RefusedCall {
  /**
   * The call.
   */
  call_id: string
  /**
   * What was tried: a push, a webhook, or a read over a connection.
   */
  channel: 'push' | 'webhook' | 'read'
  /**
   * The source that it was about; null where it named none of the company’s.
   */
  source_id: string | null
  connection: RefusedConnection | null
  /**
   * Whether it is known who called. False for a webhook whose signature did not open: anybody can have sent it.
   */
  signed: boolean
  /**
   * The HTTP method.
   */
  method: string
  /**
   * The path, without the query.
   */
  path: string
  /**
   * The status that it was answered with.
   */
  status: number
  /**
   * The code of the error.
   */
  code: string
  /**
   * The field concerned.
   */
  field: string | null
  /**
   * How many calls of one second were refused like this; `called_at` is that of the last.
   */
  calls: number
  /**
   * When it came.
   */
  called_at: string
}
/**
 * Null for a webhook, and where it is another company’s.
 */
export interface RefusedConnection {
  /**
   * The connection.
   */
  connection_id: string
  /**
   * Its name.
   */
  name: string
}
export interface SignatureList {
  signatures: Signature[]
  /**
   * Names the next page; null on the last one. Its form may change.
   */
  next_cursor: string | null
}
export interface Signature {
  /**
   * The signature.
   */
  signature_id: string
  member: {
    /**
     * Who signed.
     */
    member_id: string
    /**
     * Their name.
     */
    name: string | null
  }
  /**
   * The company it was signed for.
   */
  company_id: string | null
  /**
   * What it is about, such as `connection:<id>`.
   */
  subject: string
  /**
   * What the person read.
   */
  visible_text: string
  /**
   * What was signed, as canonical JSON.
   */
  record: string
  /**
   * SHA-256 of the record, hexadecimal.
   */
  record_sha256: string
  /**
   * The electronic identity; `demo` proves nothing.
   */
  provider: string
  /**
   * When.
   */
  signed_at: string
}
export interface SourceList {
  sources: Source[]
  /**
   * Names the next page; null on the last one. Its form may change.
   */
  next_cursor: string | null
}
export interface Source {
  /**
   * The source.
   */
  source_id: string
  /**
   * At most 100 characters.
   */
  name: string
  /**
   * A label of the company’s own choosing, such as `web shop`.
   */
  system_kind: string
  /**
   * A webhook source takes no pushes.
   */
  delivery_way: 'push' | 'webhook'
  document_form: ('json' | 'json_lines' | 'csv' | 'sie') | null
  /**
   * The current one.
   */
  shape_version: number
  /**
   * Whether a delivery’s rows are added, or replace what was said about their periods.
   */
  delivers: 'events' | 'statements'
  /**
   * A paused source takes no new deliveries.
   */
  state: 'active' | 'paused'
  /**
   * Since when it is paused.
   */
  paused_at: string | null
  /**
   * When it was made.
   */
  created_at: string
  /**
   * Of a webhook source: when the secret that its sender signs with was made.
   */
  signing_secret_made_at: string | null
  /**
   * After a rotation: until when the secret before the current one works.
   */
  previous_signing_secret_ends_at: string | null
}
export interface NewSource {
  /**
   * At most 100 characters.
   */
  name: string
  /**
   * A label of the company’s own choosing, such as `web shop`.
   */
  system_kind: string
  /**
   * A webhook source takes no pushes.
   */
  delivery_way?: 'push' | 'webhook'
  document_form?: ('json' | 'json_lines' | 'csv' | 'sie') | null
  /**
   * What is kept of a delivery.
   *
   * @minItems 1
   * @maxItems 200
   */
  fields: Field[]
  /**
   * The timestamp field from which each row’s day is read, of stored deliveries too: where their version declares it as a timestamp. Otherwise they keep their own version’s.
   */
  event_time: string
  /**
   * What is counted from the fields.
   *
   * @maxItems 100
   */
  metrics: Metric[]
  /**
   * Whether a delivery’s rows are added, or replace what was said about their periods.
   */
  delivers: 'events' | 'statements'
}
export interface Field {
  /**
   * As the key of a row; 1 to 100 characters.
   */
  name: string
  /**
   * How a value is read.
   */
  type: 'number' | 'text' | 'timestamp' | 'bool'
  /**
   * May be filtered on and counted distinct; never grouped by and never in a sample.
   */
  personal: boolean
}
export interface Metric {
  /**
   * A known metric key, at most once on a source.
   */
  metric: string
  /**
   * How it counts; `last` by event time.
   */
  aggregation: 'sum' | 'count' | 'count_distinct' | 'min' | 'max' | 'last'
  /**
   * The field counted; only `count` does without.
   */
  field?: string
  /**
   * With `sum`: the second factor of the product summed.
   */
  times?: string
  /**
   * Which rows count.
   *
   * @maxItems 20
   *
   * Items: A row counts when it holds; every filter of a metric must.
   */
  filters: (
    | {
        /**
         * A declared field.
         */
        field: string
        /**
         * How it is compared.
         */
        comparison: '=' | '≠' | '<' | '≤' | '>' | '≥'
        /**
         * Read by the field’s type.
         */
        value: string
      }
    | {
        /**
         * A declared field.
         */
        field: string
        /**
         * One of the values.
         */
        comparison: 'in'
        /**
         * Read by the field’s type.
         *
         * @minItems 1
         * @maxItems 1000
         */
        values: string[]
      }
  )[]
  /**
   * The fields whose values are the labels; no personal one.
   *
   * @maxItems 20
   */
  group_by: string[]
  /**
   * In the company’s time zone; a week begins on Monday.
   */
  period: 'day' | 'week' | 'month'
}
/**
 * With a signing secret where this very call gave it one.
 */
export interface MadeSource {
  /**
   * The source.
   */
  source_id: string
  /**
   * At most 100 characters.
   */
  name: string
  /**
   * A label of the company’s own choosing, such as `web shop`.
   */
  system_kind: string
  /**
   * A webhook source takes no pushes.
   */
  delivery_way: 'push' | 'webhook'
  document_form: ('json' | 'json_lines' | 'csv' | 'sie') | null
  /**
   * The current one.
   */
  shape_version: number
  /**
   * Whether a delivery’s rows are added, or replace what was said about their periods.
   */
  delivers: 'events' | 'statements'
  /**
   * A paused source takes no new deliveries.
   */
  state: 'active' | 'paused'
  /**
   * Since when it is paused.
   */
  paused_at: string | null
  /**
   * When it was made.
   */
  created_at: string
  /**
   * Of a webhook source: when the secret that its sender signs with was made.
   */
  signing_secret_made_at: string | null
  /**
   * After a rotation: until when the secret before the current one works.
   */
  previous_signing_secret_ends_at: string | null
  /**
   * What the sender signs with, prefix `nws_` included. Shown here and never again.
   */
  signing_secret?: string
}
export interface SourceWithVersions {
  source: Source
  /**
   * Newest first.
   */
  versions: ShapeVersion[]
  /**
   * Names the next page; null on the last one. Its form may change.
   */
  next_cursor: string | null
}
export interface ShapeVersion {
  /**
   * Counts the saves.
   */
  shape_version: number
  /**
   * What is kept of a delivery.
   *
   * @minItems 1
   * @maxItems 200
   */
  fields: Field[]
  /**
   * The timestamp field from which each row’s day is read, of stored deliveries too: where their version declares it as a timestamp. Otherwise they keep their own version’s.
   */
  event_time: string
  /**
   * What is counted from the fields.
   *
   * @maxItems 100
   */
  metrics: Metric[]
  /**
   * Whether a delivery’s rows are added, or replace what was said about their periods.
   */
  delivers: 'events' | 'statements'
  saved_by: {
    /**
     * Who saved it.
     */
    member_id: string
    /**
     * Their name.
     */
    name: string | null
  } | null
  /**
   * When.
   */
  saved_at: string
}
export interface SourceChange {
  /**
   * At most 100 characters.
   */
  name?: string
  /**
   * A label of the company’s own choosing, such as `web shop`.
   */
  system_kind?: string
  /**
   * A webhook source takes no pushes.
   */
  delivery_way?: 'push' | 'webhook'
  document_form?: ('json' | 'json_lines' | 'csv' | 'sie') | null
}
export interface DeclarationSave {
  /**
   * The version that was changed.
   */
  expected_version: number
  /**
   * What is kept of a delivery.
   *
   * @minItems 1
   * @maxItems 200
   */
  fields: Field[]
  /**
   * The timestamp field from which each row’s day is read, of stored deliveries too: where their version declares it as a timestamp. Otherwise they keep their own version’s.
   */
  event_time: string
  /**
   * What is counted from the fields.
   *
   * @maxItems 100
   */
  metrics: Metric[]
  /**
   * Whether a delivery’s rows are added, or replace what was said about their periods.
   */
  delivers: 'events' | 'statements'
}
export interface SavedDeclaration {
  /**
   * The version that this save made.
   */
  shape_version: number
  /**
   * The stored deliveries are being rebuilt.
   */
  refolds: boolean
}
export interface RotatedSource {
  /**
   * The source.
   */
  source_id: string
  /**
   * At most 100 characters.
   */
  name: string
  /**
   * A label of the company’s own choosing, such as `web shop`.
   */
  system_kind: string
  /**
   * A webhook source takes no pushes.
   */
  delivery_way: 'push' | 'webhook'
  document_form: ('json' | 'json_lines' | 'csv' | 'sie') | null
  /**
   * The current one.
   */
  shape_version: number
  /**
   * Whether a delivery’s rows are added, or replace what was said about their periods.
   */
  delivers: 'events' | 'statements'
  /**
   * A paused source takes no new deliveries.
   */
  state: 'active' | 'paused'
  /**
   * Since when it is paused.
   */
  paused_at: string | null
  /**
   * When it was made.
   */
  created_at: string
  /**
   * Of a webhook source: when the secret that its sender signs with was made.
   */
  signing_secret_made_at: string | null
  /**
   * After a rotation: until when the secret before the current one works.
   */
  previous_signing_secret_ends_at: string | null
  /**
   * What the sender signs with, prefix `nws_` included. Shown here and never again.
   */
  signing_secret: string
}
/**
 * Samples of one source.
 */
export interface Samples {
  /**
   * The source that was read.
   */
  source_id: string
  window: Window
  /**
   * Newest first, then by metric, then by the labels’ values, label name by label name, in code point order.
   *
   * @maxItems 5000
   */
  samples: Sample[]
  /**
   * Whether there are more samples in the window than one answer holds.
   */
  truncated: boolean
}
/**
 * The days that were read.
 */
export interface Window {
  /**
   * First day read.
   */
  from: string
  /**
   * The day after the last day read.
   */
  to: string
  /**
   * Widest window that a read answers for: 731.
   */
  max_days: number
  /**
   * Whether `from` was further back than the window reaches, and was moved forward.
   */
  narrowed: boolean
}
/**
 * The value of a metric for a period.
 */
export interface Sample {
  /**
   * Metric key: `active_users`, `revenue`.
   */
  metric: string
  /**
   * First day of the period, in the company's time zone.
   */
  period_start: string
  /**
   * Exact decimal.
   */
  value: string
  /**
   * Label set as the metric declares it: the fields it is grouped by, with their values.
   */
  labels: {
    [k: string]: string
  }
  /**
   * Whether it came over a sandbox connection, and is test data.
   */
  sandbox: boolean
  /**
   * The delivery whose rows last changed it.
   */
  artifact_id?: string
}
export interface CompanyUsage {
  limits: CompanyLimit[]
  /**
   * The limit because of which no delivery is taken now; null for none.
   */
  reached: string | null
}
export interface CompanyLimit {
  /**
   * `connections`: those that are neither revoked nor expired. `shape_versions`: of the source that has most. `cells`: one for each metric, period and label set of a source, also while it is rebuilt. `stored_bytes`: content of deliveries, and 1,024 bytes each. `waiting_bytes` and `waiting_deliveries`: what is still to be read.
   */
  limit:
    | 'sources'
    | 'connections'
    | 'members'
    | 'shape_versions'
    | 'cells'
    | 'stored_bytes'
    | 'waiting_bytes'
    | 'waiting_deliveries'
  /**
   * What the company holds.
   */
  used: number
  /**
   * What it may hold.
   */
  max: number
}
export interface KnownMetrics {
  metrics: KnownMetric[]
}
export interface KnownMetric {
  /**
   * As it is declared.
   */
  key: string
  /**
   * As it is shown.
   */
  name: string
  /**
   * What is counted.
   */
  unit: string
}
export interface Session {
  /**
   * The person.
   */
  member_id: string
  /**
   * As the electronic identity says it.
   */
  name: string | null
  /**
   * When they are signed out.
   */
  expires_at: string
  /**
   * Sent back as `X-CSRF-Token` by what changes what apps are allowed.
   */
  csrf_token: string
  identity: {
    /**
     * The electronic identity of this deployment.
     */
    provider: string
    /**
     * True where anyone may claim to be anyone.
     */
    demo: boolean
    /**
     * False where it only signs people in.
     */
    signs: boolean
  }
  companies: Membership[]
}
export interface Membership {
  /**
   * The company.
   */
  company_id: string
  /**
   * Organisation number as it is shown.
   */
  orgnr: string
  /**
   * Its name.
   */
  name: string
  /**
   * IANA name; days, weeks and months are counted in it.
   */
  time_zone: string
  /**
   * What the person may do there.
   */
  role: 'owner' | 'developer' | 'reader'
}
export interface SignInProgress {
  state: 'pending' | 'failed' | 'complete'
  /**
   * While pending: what is waited for, as the provider says.
   */
  hint?: string
  /**
   * When failed: `refused`, `expired`, `ended`, `used`, `other_person`, or the provider’s own word.
   */
  reason?: string
  presentation?: Presentation
  /**
   * When complete: who is signed in.
   */
  member_id?: string
}
