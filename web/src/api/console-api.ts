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
  'GET /console/companies': {
    answer: OwnCompanyList
  }
  'GET /console/companies/{company_id}': {
    path: {
      company_id: string
    }
    answer: Company
  }
  'GET /console/companies/{company_id}/apps': {
    path: {
      company_id: string
    }
    query: {
      cursor?: string
      limit?: string
    }
    answer: CompanyAppList
  }
  'GET /console/companies/{company_id}/audit': {
    path: {
      company_id: string
    }
    query: {
      cursor?: string
      limit?: string
    }
    answer: AuditEventList
  }
  'GET /console/companies/{company_id}/connections': {
    path: {
      company_id: string
    }
    query: {
      cursor?: string
      limit?: string
      state?: 'made' | 'signed' | 'expired' | 'revoked'
      source_id?: string
      created_by?: string
    }
    answer: ConnectionList
  }
  'POST /console/companies/{company_id}/connections': {
    path: {
      company_id: string
    }
    body: NewConnection
    answer: CreatedConnection
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
    body: ConnectionToSign
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
  'GET /console/companies/{company_id}/invitations': {
    path: {
      company_id: string
    }
    query: {
      cursor?: string
      limit?: string
    }
    answer: InvitationList
  }
  'POST /console/companies/{company_id}/invitations': {
    path: {
      company_id: string
    }
    body: NewInvitation
    answer: CreatedInvitation
  }
  'POST /console/companies/{company_id}/invitations/{invitation_id}/withdraw': {
    path: {
      company_id: string
      invitation_id: string
    }
    /**
     * An empty object.
     */
    body: {}
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
    body: NewMember
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
  'GET /console/companies/{company_id}/membership': {
    path: {
      company_id: string
    }
    answer: OwnMembership
  }
  'POST /console/companies/{company_id}/notices/dismiss': {
    path: {
      company_id: string
    }
    body: DismissedNotices
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
  'GET /console/companies/{company_id}/reports': {
    path: {
      company_id: string
    }
    query: {
      cursor?: string
      limit?: string
    }
    answer: ReportList
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
    answer: CreatedSource
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
    answer: CreatedSource
  }
  'PUT /console/companies/{company_id}/sources/{source_id}': {
    path: {
      company_id: string
      source_id: string
    }
    body: SourceSave
    answer: SavedSource
  }
  'PUT /console/companies/{company_id}/sources/{source_id}/declaration': {
    path: {
      company_id: string
      source_id: string
    }
    body: DeclarationSave
    answer: SavedDeclaration
  }
  'POST /console/companies/{company_id}/sources/{source_id}/end-previous-signing-secret': {
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
  'POST /console/companies/{company_id}/sources/{source_id}/pause': {
    path: {
      company_id: string
      source_id: string
    }
    body: SourcePause
    answer: undefined
  }
  'POST /console/companies/{company_id}/sources/{source_id}/preview': {
    path: {
      company_id: string
      source_id: string
    }
    body: PreviewInput
    answer: Preview
  }
  'POST /console/companies/{company_id}/sources/{source_id}/rebuilds': {
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
  'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}': {
    path: {
      company_id: string
      source_id: string
      metric: string
    }
    query: {
      grain?: 'day' | 'week' | 'month'
      from?: string
      to?: string
      by?: string
      compare?: 'year'
      as_of?: string
    }
    answer: MetricReport
  }
  'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}/file.csv': {
    path: {
      company_id: string
      source_id: string
      metric: string
    }
    query: {
      grain?: 'day' | 'week' | 'month'
      from?: string
      to?: string
      by?: string
      compare?: 'year'
      as_of?: string
      language?: 'en' | 'sv'
    }
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
  'GET /console/companies/{company_id}/sources/{source_id}/samples/trace': {
    path: {
      company_id: string
      source_id: string
    }
    query: {
      cursor?: string
      limit?: string
      metric: string
      period_start: string
      grain?: 'day' | 'week' | 'month'
      as_of?: string
    }
    answer: ReportTrace
  }
  'POST /console/companies/{company_id}/sources/example': {
    path: {
      company_id: string
    }
    body: ExampleInput
    answer: ReadExample
  }
  'POST /console/companies/{company_id}/sources/preview': {
    path: {
      company_id: string
    }
    body: PreviewInput
    answer: Preview
  }
  'GET /console/companies/{company_id}/usage': {
    path: {
      company_id: string
    }
    answer: CompanyUsage
  }
  'POST /console/demo-companies': {
    body: NewDemoCompany
    answer: DemoCompany
  }
  'POST /console/invitations/accept': {
    body: InvitationToken
    answer: AcceptedInvitation
  }
  'POST /console/invitations/show': {
    body: InvitationToken
    answer: InvitationToAccept
  }
  'GET /console/known-metrics': {
    answer: KnownMetrics
  }
  'GET /console/session': {
    answer: Session
  }
  'GET /console/sessions': {
    answer: OwnSessionList
  }
  'POST /console/sessions/{session_id}/sign-out': {
    path: {
      session_id: string
    }
    /**
     * An empty object.
     */
    body: {}
    answer: undefined
  }
  'POST /console/sessions/sign-out': {
    /**
     * An empty object.
     */
    body: {}
    answer: undefined
  }
  'POST /console/sign-in': {
    body: BeginSignIn
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
  'POST /console/sign-in/return': {
    body: ReturnFromApp
    answer: ReturnedFromApp
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
  'GET /console/signatures/{signature_id}/evidence': {
    path: {
      signature_id: string
    }
    answer: SignatureEvidence
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
   * You.
   */
  member_id: string
  /**
   * The app, as it is registered.
   */
  client_id: string
  /**
   * Its name, as you saw it when you signed. Apps choose their own names.
   */
  client_name: string
  /**
   * The host that it came back to when you signed.
   */
  redirect_host: string
  /**
   * `ended`: it no longer works.
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
     * All companies that you are a member of at the time of a call, including later ones.
     */
    every: boolean
    /**
     * By name; empty if it is every one. It cannot read a company that you have left.
     */
    chosen: CompanyName[]
  }
  /**
   * Other servers that also accept its tokens.
   */
  resources: string[]
  /**
   * When you first signed it.
   */
  consented_at: string
  /**
   * 90 days later. Adding to it does not extend it.
   */
  expires_at: string
  /**
   * When it ended; null while it is active.
   */
  ended_at: string | null
  ended_by: ('member' | 'operator' | 'expiry') | null
  /**
   * Its last recorded call, a few seconds late; null if there is none.
   */
  last_called_at: string | null
}
export interface CompanyName {
  /**
   * The company.
   */
  company_id: string
  /**
   * Organisation number as it is displayed.
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
 * `company` is null if the call was not about one that the app may read.
 */
export interface AppCall {
  /**
   * The call.
   */
  call_id: string
  company: CompanyName | null
  /**
   * The HTTP method.
   */
  method: string
  /**
   * Without the query.
   */
  path: string
  /**
   * The status of the answer.
   */
  status: number
  /**
   * The error code; null for a success.
   */
  code: string | null
  /**
   * When it was called.
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
 * What an app requests of the member.
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
     * As the app calls itself: anyone may register any name.
     */
    client_name: string
    /**
     * The host that the member is sent to; show it with the name.
     */
    redirect_host: string
    /**
     * Where the member is sent to.
     */
    redirect_uri: string
  }
  /**
   * What the app requests. What it does not have yet starts ticked.
   */
  permissions: {
    /**
     * What the app would read.
     */
    permission: 'company.read' | 'metrics.read'
    /**
     * Whether the app has it already.
     */
    granted: boolean
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
       * Whether the app suggests it: then it starts ticked.
       */
      suggested: boolean
      /**
       * Whether the app has it already.
       */
      granted: boolean
    }[]
    /**
     * Whether the app has all of them already, later ones too.
     */
    every_granted: boolean
  }
  /**
   * They belong to the request and cannot be unticked.
   */
  resources: {
    /**
     * Another server that the tokens are for.
     */
    resource: string
    /**
     * Whether the app has it already.
     */
    granted: boolean
  }[]
  /**
   * When the access ends. Adding to it does not change the end.
   */
  ends_at: string
  /**
   * Whether the app has access already: then only what is new is shown and signed.
   */
  adds: boolean
}
export interface AuthorizeRedirect {
  /**
   * There is nothing to decide.
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
     * Those that are ticked, unless it is every one.
     *
     * @maxItems 200
     *
     * Items: A company.
     */
    company_ids?: string[]
  }
  /**
   * Of the text that is signed; English by default.
   */
  language?: 'en' | 'sv'
  /**
   * Path of the page that the person returns to, with its query and without fragment; the first page by default. Null: the page must stay open, and the app opens no address.
   */
  return_to?: string | null
  /**
   * Where the person has BankID’s app: on `this` device, for which the answer has an address that starts it, or on an `other` (the default), for which it has a QR code. Other electronic identities ignore it.
   */
  device?: 'this' | 'other'
}
export interface ConsentSigning {
  /**
   * The member is to sign.
   */
  state: 'signing'
  /**
   * The order, for collecting it.
   */
  order_id: string
  /**
   * When it fails unless the person has started to answer.
   */
  expires_at: string
  /**
   * True with the demo’s electronic identity: anyone may claim to be anyone.
   */
  demo: boolean
  presentation: Presentation
  /**
   * What the person is to sign.
   */
  visible_text?: string
}
/**
 * How the person continues. Members are absent when there is nothing to show.
 */
export interface Presentation {
  /**
   * To open in the same browser: the demo’s page, or the provider’s.
   */
  open_url?: string
  /**
   * Starts the app on this device, if the order is for this device.
   */
  launch_url?: string
  /**
   * Text of the QR code now, if the order is for another device. It changes every second.
   */
  qr_text?: string
}
export interface ConsentProgress {
  /**
   * The state.
   */
  state: 'pending' | 'failed' | 'complete'
  /**
   * While pending: what it waits for, in the provider’s word.
   */
  hint?: string
  /**
   * When failed: `refused`, `expired`, `unavailable`, `not_verified`, `other_network`, `no_public_address`, `ended`, `used`, `other_person`, or the provider’s own word.
   */
  reason?: string
  presentation?: Presentation
  /**
   * While pending: what the person is to sign.
   */
  visible_text?: string
  /**
   * Where the browser goes now.
   */
  location?: string
}
export interface OwnCompanyList {
  companies: OwnCompany[]
}
export interface OwnCompany {
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
   * What you may do there.
   */
  role: 'owner' | 'developer' | 'reader'
  /**
   * Sources that have been silent for three times as long as usual. Null if that was not checked: it is for the first 100 companies, as far as they have 1,000 sources together.
   */
  late_sources: number | null
  /**
   * The last production delivery; null if there is none, or it was not checked.
   */
  last_received_at: string | null
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
  /**
   * The owners, at most 20, so that other members know whom to ask.
   */
  owners: {
    /**
     * The owner.
     */
    member_id: string
    /**
     * Null until they have opened the company since they were added.
     */
    name: string | null
  }[]
}
export interface CompanyAppList {
  apps: CompanyApp[]
  /**
   * Names the next page; null on the last one. Its form may change.
   */
  next_cursor: string | null
}
export interface CompanyApp {
  /**
   * What the member allowed the app.
   */
  connection_id: string
  /**
   * The app, as it is registered.
   */
  client_id: string
  /**
   * Its name, as the member saw it. Apps choose their own names.
   */
  client_name: string
  /**
   * The host that it came back to when the member signed.
   */
  redirect_host: string
  /**
   * Who allowed it.
   */
  member: {
    /**
     * The member.
     */
    member_id: string
    /**
     * Their name.
     */
    name: string | null
  }
  /**
   * What it may read.
   */
  permissions: ('company.read' | 'metrics.read')[]
  /**
   * Whether the member allowed all their companies, including later ones.
   */
  every_company: boolean
  /**
   * When the member first signed it.
   */
  consented_at: string
  /**
   * When it expires.
   */
  expires_at: string
  /**
   * Its last call about this company, a few seconds late; null if there is none among its latest 1,000 calls.
   */
  last_called_at: string | null
}
export interface AuditEventList {
  events: AuditEvent[]
  /**
   * Names the next page; null on the last one. Its form may change.
   */
  next_cursor: string | null
}
export interface AuditEvent {
  /**
   * The event. One that is repeated gets another id.
   */
  event_id: string
  /**
   * When it was done; where it was repeated, the first time.
   */
  at: string
  /**
   * How often: the same member did the same thing again, each time within an hour of the one before. 1 where it was done once.
   */
  count: number
  /**
   * The last time; as `at` where it was done once.
   */
  last_at: string
  /**
   * Null for the operator of this service.
   */
  member: {
    /**
     * Who did it.
     */
    member_id: string
    /**
     * Their name.
     */
    name: string | null
    /**
     * False where they have left the company since.
     */
    is_member: boolean
  } | null
  /**
   * What was done. `member_joined`: with an invitation’s link. `signed_out_everywhere`: all sessions of the member. Further ones may come.
   */
  action:
    | 'company_created'
    | 'source_created'
    | 'source_changed'
    | 'source_version_saved'
    | 'source_paused'
    | 'source_resumed'
    | 'source_rebuilt'
    | 'source_secret_rotated'
    | 'source_secret_ended'
    | 'connection_created'
    | 'connection_signed'
    | 'connection_rotated'
    | 'connection_revoked'
    | 'connection_released'
    | 'member_invited'
    | 'member_joined'
    | 'member_role_changed'
    | 'member_removed'
    | 'member_left'
    | 'invitation_created'
    | 'invitation_withdrawn'
    | 'signed_out_everywhere'
  subject: {
    /**
     * What it was done to.
     */
    kind: 'company' | 'source' | 'connection' | 'member' | 'invitation'
    /**
     * Its id; for a member who joined, theirs.
     */
    id: string
    /**
     * As it was called then; of a member as now, null where it is not known.
     */
    name: string | null
  }
  /**
   * What the action leaves open. `role` and, of a change, `previous_role`; `overlap_hours` of a rotation; `shape_version` and `rebuilds` of a saved version; `reason` of a pause; `kind` of a connection that was created or signed, then with `signature_id`; `invitation_id` of a member who joined; `company` of another company’s connection that was released.
   */
  details: {
    [k: string]: string | number | boolean | null
  }
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
   * What it may do. Fixed when it is created.
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
   * The further companies that it acts on, as long as its creator manages them. Of another company’s connection: the company that asks, and no other one.
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
  created_by: {
    /**
     * Who created it.
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
  created_at: string
  /**
   * The signature that it works by; null of another company’s connection.
   */
  signature_id: string | null
  /**
   * When it was signed.
   */
  signed_at: string | null
  /**
   * The electronic identity that it was signed with; null of another company’s connection.
   */
  signed_with: string | null
  /**
   * A year after the signing.
   */
  expires_at: string | null
  /**
   * Days until then, by the calendar of its company; null unless it is signed.
   */
  expires_in_days: number | null
  /**
   * True in its last 30 days: its successor should be created and signed.
   */
  expires_soon: boolean
  /**
   * When it was ended.
   */
  revoked_at: string | null
  /**
   * Null where the operator did, and of another company’s connection.
   */
  revoked_by: {
    /**
     * Who ended it.
     */
    member_id: string
    /**
     * Their name.
     */
    name: string | null
  } | null
  /**
   * Its last call, to the minute, refused ones too, and up to two minutes late; null where there was none, and of another company’s connection.
   */
  last_used_at: string | null
  /**
   * Its client secrets or static credentials that no rotation has ended, the newest first: to tell them apart by. Empty of another company’s connection.
   */
  credentials: {
    /**
     * Its last four characters; null of one created before they were stored.
     */
    last_four: string | null
    /**
     * When it was created.
     */
    created_at: string
    /**
     * After a rotation: until when it works; null for the current one.
     */
    ends_at: string | null
  }[]
  /**
   * After a rotation: until when the credential before the current one works; null of another company’s connection.
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
   * What it may do. Fixed when it is created.
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
   * Further companies that you are owner or developer of; only without a source.
   *
   * @maxItems 100
   *
   * Items: A company.
   */
  further_company_ids?: string[]
}
export interface CreatedConnection {
  connection: Connection
  /**
   * The static credential, which opens nothing until signed. Shown here and never again.
   */
  credential?: string
}
export interface Rotation {
  /**
   * How long the old one works; 24 unless given.
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
export interface ConnectionToSign {
  /**
   * Of the text that is signed; English by default.
   */
  language?: 'en' | 'sv'
  /**
   * Path of the page that the person returns to, with its query and without fragment; the first page by default. Null: the page must stay open, and the app opens no address.
   */
  return_to?: string | null
  /**
   * Where the person has BankID’s app: on `this` device, for which the answer has an address that starts it, or on an `other` (the default), for which it has a QR code. Other electronic identities ignore it.
   */
  device?: 'this' | 'other'
}
/**
 * An order at the electronic identity that waits for the person.
 */
export interface BegunOrder {
  /**
   * The order, for collecting it.
   */
  order_id: string
  /**
   * When it fails unless the person has started to answer.
   */
  expires_at: string
  /**
   * True with the demo’s electronic identity: anyone may claim to be anyone.
   */
  demo: boolean
  presentation: Presentation
  /**
   * What the person is to sign.
   */
  visible_text?: string
}
export interface ConnectionSigningProgress {
  /**
   * `completed_before`: another call got the result.
   */
  state: 'pending' | 'failed' | 'complete' | 'completed_before'
  /**
   * While pending: what it waits for, in the provider’s word.
   */
  hint?: string
  /**
   * When failed: `refused`, `expired`, `unavailable`, `not_verified`, `other_network`, `no_public_address`, `ended`, `used`, `other_person`, or the provider’s own word.
   */
  reason?: string
  presentation?: Presentation
  /**
   * While pending: what the person is to sign.
   */
  visible_text?: string
  connection?: Connection
  /**
   * When complete, with client credentials: the secret. Shown here and never again.
   */
  secret?: string
}
export interface DeliveryList {
  deliveries: DeliveryReport[]
  count: DeliveryCount | null
  /**
   * If the search ended before the page was full: nothing received later is missing.
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
   * How it was sent.
   */
  channel: 'push' | 'webhook'
  /**
   * The format of its stored content.
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
   * What the source delivered at that time.
   */
  delivers: 'events' | 'statements'
  /**
   * Size of its stored content.
   */
  content_bytes: number
  /**
   * `unreadable`: stored, but its content is broken and no row counts.
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
   * Accepted rows with a timestamp that is only a date. Null while it is queued.
   */
  rows_date_alone: number | null
  /**
   * Accepted rows that added nothing to a metric because a field was missing or empty. Null while it is queued, and where it was parsed before this was counted.
   */
  missing_values: MissingValue[] | null
  /**
   * Accepted rows dated more than 366 days after the day of receipt; they count. Null while it is queued, and where it was parsed before this was counted.
   */
  rows_far_ahead: number | null
}
/**
 * Null for a webhook, and if it belongs to another company.
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
export interface MissingValue {
  /**
   * Metric key.
   */
  metric: string
  /**
   * The field that the metric computes with and that the rows lack.
   */
  field: string
  /**
   * Accepted rows that added nothing to the metric for it.
   */
  rows: number
  /**
   * A key that the delivery carried, that is not declared, and that is nearly the name of the field: probably a typing error.
   */
  similar_dropped_key?: string
}
/**
 * Of all pages; null on those after the first.
 */
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
   * How it was sent.
   */
  channel: 'push' | 'webhook'
  /**
   * The format of its stored content.
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
   * What the source delivered at that time.
   */
  delivers: 'events' | 'statements'
  /**
   * Size of its stored content.
   */
  content_bytes: number
  /**
   * `unreadable`: stored, but its content is broken and no row counts.
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
   * Accepted rows with a timestamp that is only a date. Null while it is queued.
   */
  rows_date_alone: number | null
  /**
   * Accepted rows that added nothing to a metric because a field was missing or empty. Null while it is queued, and where it was parsed before this was counted.
   */
  missing_values: MissingValue[] | null
  /**
   * Accepted rows dated more than 366 days after the day of receipt; they count. Null while it is queued, and where it was parsed before this was counted.
   */
  rows_far_ahead: number | null
  /**
   * SHA-256 of the body as received.
   */
  sha256: string
  /**
   * Undeclared keys that were not stored, at most 50.
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
   * The first 10 rows dated far ahead.
   */
  far_ahead: FarAheadRow[]
  /**
   * The previous delivery of the same source, test or production like this one.
   */
  older_artifact_id: string | null
  /**
   * The next one.
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
export interface FarAheadRow {
  /**
   * The row's number in the delivery, from 1.
   */
  row: number
  /**
   * The line that the row begins on; for CSV, JSON lines and SIE.
   */
  line?: number
  /**
   * Its day in the company's time zone; absent where the event time is a personal field.
   */
  day?: string
}
export interface DeliveryRows {
  rows: ShownRow[]
  /**
   * Those of the version that the delivery is parsed under.
   */
  fields: ShownField[]
  /**
   * The last row whose refusal is known: only the first 100 are stored. Null if all are known.
   */
  refusals_known_to: number | null
  broken: BrokenRow | null
  /**
   * Names the next page; null on the last one. Its form may change.
   */
  next_cursor: string | null
}
/**
 * A row as it is stored.
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
   * A value for each of `fields`; null if missing.
   */
  values: (ShownValue | null)[] | null
  /**
   * The number of cells of a record that does not have one for each column. Its `values` are null, since it is unknown which of them is personal.
   */
  cells: number | null
  refusal: RowRefusal | null
}
export interface ShownValue {
  /**
   * The value, its first 1000 characters; for an object or a list its JSON.
   */
  text?: string
  /**
   * How long it is, if it was cut.
   */
  characters?: number
  /**
   * The field is personal, or something inside the value is named like a personal field.
   */
  masked?: true
  /**
   * Some bytes are not UTF-8; U+FFFD replaces them.
   */
  broken?: true
}
export interface RowRefusal {
  /**
   * The field concerned; null for the whole row.
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
export interface BrokenRow {
  /**
   * The first row that cannot be read.
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
   * The value after all earlier deliveries; null if there was none.
   */
  before: string | null
  /**
   * What its own rows come to: their sum, their number, how many different values. Null if a statement no longer has the sample, and so removed it.
   */
  gave: string | null
  /**
   * Its rows behind that.
   */
  rows: number
  /**
   * For a distinct count of events: how many values no earlier delivery had.
   */
  added: number | null
  /**
   * The value with this delivery; null if it removed the sample.
   */
  after: string | null
  /**
   * Whether a later statement replaced it.
   */
  superseded: boolean
}
export interface InvitationList {
  invitations: Invitation[]
  /**
   * Names the next page; null on the last one. Its form may change.
   */
  next_cursor: string | null
}
/**
 * A link with which one person, once, becomes a member.
 */
export interface Invitation {
  /**
   * The link.
   */
  invitation_id: string
  /**
   * `owner`: everything. `developer`: sources, connections, developer page, reports. `reader`: reports.
   */
  role: 'owner' | 'developer' | 'reader'
  /**
   * Whom it is for, if its creator said so.
   */
  label: string | null
  created_by: {
    /**
     * Who created it.
     */
    member_id: string
    /**
     * Their name.
     */
    name: string | null
  }
  /**
   * When it was created.
   */
  created_at: string
  /**
   * 7 days later.
   */
  expires_at: string
}
export interface NewInvitation {
  /**
   * `owner`: everything. `developer`: sources, connections, developer page, reports. `reader`: reports.
   */
  role: 'owner' | 'developer' | 'reader'
  /**
   * At most 100 characters, to identify a person whose name is not known yet. Not a personal number.
   */
  label?: string
}
export interface CreatedInvitation {
  invitation: Invitation
  /**
   * For the person. Its token is the fragment. Never shown again.
   */
  link: string
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
   * Null until they have opened the company since they were added.
   */
  name: string | null
  /**
   * What the owner who added them calls them, if anything; null once they have opened the company.
   */
  label: string | null
  /**
   * `owner`: everything. `developer`: sources, connections, developer page, reports. `reader`: reports.
   */
  role: 'owner' | 'developer' | 'reader'
  /**
   * Who added them; null for the operator.
   */
  added_by: string | null
  /**
   * When they were added.
   */
  added_at: string
  /**
   * Null until they have signed in and opened the company since they were added.
   */
  last_sign_in_at: string | null
  /**
   * The company’s own connections that they created, signed and active; at most 1,000 are counted.
   */
  signed_connections: number
}
export interface NewMember {
  /**
   * Twelve digits, or ten with - or +.
   */
  personal_number: string
  /**
   * `owner`: everything. `developer`: sources, connections, developer page, reports. `reader`: reports.
   */
  role: 'owner' | 'developer' | 'reader'
  /**
   * At most 100 characters, to identify a person whose name is not known yet. Not a personal number.
   */
  label?: string
}
export interface RoleChange {
  /**
   * `owner`: everything. `developer`: sources, connections, developer page, reports. `reader`: reports.
   */
  role: 'owner' | 'developer' | 'reader'
}
export interface OwnMembership {
  /**
   * `owner`: everything. `developer`: sources, connections, developer page, reports. `reader`: reports.
   */
  role: 'owner' | 'developer' | 'reader'
  /**
   * When you were added.
   */
  added_at: string
  /**
   * The company’s own connections that they created, signed and active; at most 1,000 are counted.
   */
  signed_connections: number
  /**
   * Whether you are the only owner, who cannot leave.
   */
  last_owner: boolean
}
export interface DismissedNotices {
  /**
   * The event of the last notice to dismiss.
   */
  through: string
}
export interface RefusedCalls {
  refused_calls: RefusedCall[]
  /**
   * How many pass the filter, of all pages; null on pages after the first.
   */
  count: number | null
  /**
   * Names the next page; null on the last one. Its form may change.
   */
  next_cursor: string | null
}
/**
 * A call refused because of its sender’s mistake. Never a body, never a query.
 */
export interface RefusedCall {
  /**
   * The call.
   */
  call_id: string
  /**
   * A push, a webhook, or a read over a connection.
   */
  channel: 'push' | 'webhook' | 'read'
  /**
   * The source that it was about; null if it named none of the company’s.
   */
  source_id: string | null
  connection: RefusedConnection | null
  /**
   * Whether the caller is known. False for a webhook without a valid signature, which anyone can send.
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
   * The status of the answer.
   */
  status: number
  /**
   * The error code.
   */
  code: string
  /**
   * The field concerned.
   */
  field: string | null
  /**
   * How many like calls of one second this is; `called_at` is that of the last.
   */
  calls: number
  /**
   * When it was called.
   */
  called_at: string
}
/**
 * Null for a webhook, and if it belongs to another company.
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
export interface ReportList {
  reports: ReportCard[]
  /**
   * The current day in the company’s time zone.
   */
  today: string
  /**
   * The company’s time zone, an IANA name.
   */
  time_zone: string
  /**
   * Names the next page; null on the last one. Its form may change.
   */
  next_cursor: string | null
}
export interface ReportCard {
  /**
   * The source.
   */
  source_id: string
  /**
   * Its name.
   */
  source_name: string
  /**
   * The metric’s key.
   */
  metric: string
  /**
   * Its name.
   */
  name: string
  /**
   * Its unit, such as `SEK` or `count`.
   */
  unit: string
  /**
   * How rows are aggregated.
   */
  aggregation: 'sum' | 'count' | 'count_distinct' | 'min' | 'max' | 'last'
  combines: ('sum' | 'min' | 'max') | null
  /**
   * The period of the metric’s samples.
   */
  period: 'day' | 'week' | 'month'
  /**
   * The periods of this answer.
   */
  grain: 'day' | 'week' | 'month'
  /**
   * A paused source accepts no deliveries.
   */
  source_state: 'active' | 'paused'
  /**
   * Since when it is paused.
   */
  paused_at: string | null
  /**
   * Who paused it; null while it is active, and if the operator did.
   */
  paused_by: {
    /**
     * The member.
     */
    member_id: string
    /**
     * Their name; null until they have signed in.
     */
    name: string | null
  } | null
  /**
   * Whether the labels combine to one value. If not, every value here is null.
   */
  total: boolean
  /**
   * The last finished period with a value; null if there is none.
   */
  latest: {
    /**
     * First day of the period.
     */
    period_start: string
    /**
     * All labels together. An exact decimal; null if nothing was delivered for it.
     */
    value: string | null
    /**
     * Whether any of it was stated more than once.
     */
    restated: boolean
  } | null
  previous: PeriodValue | null
  year_before: PeriodValue | null
  unfinished: PeriodValue
  /**
   * The last 13 periods, the oldest first, including the current one.
   */
  sparkline: {
    /**
     * First day of the period.
     */
    period_start: string
    /**
     * All labels together. An exact decimal; null if nothing was delivered for it.
     */
    value: string | null
    /**
     * Whether its last day has passed.
     */
    finished: boolean
  }[]
  /**
   * False: there are more samples than are counted, and the oldest of these periods have no value.
   */
  complete: boolean
  /**
   * Finished periods of the sparkline restated in the last 45 days.
   */
  restated_periods: {
    /**
     * First day of the period.
     */
    period_start: string
    /**
     * When its last statement was received.
     */
    restated_at: string
  }[]
  /**
   * Whether the source delivers as usual.
   */
  freshness: {
    /**
     * When the source’s last production delivery was received.
     */
    last_received_at: string | null
    /**
     * The usual time between deliveries: the median of the gaps of at least a minute among the last 20. Null if there are fewer than three.
     */
    usual_seconds: number | null
    /**
     * Whether three times that has passed without a delivery. Never while it is paused.
     */
    late: boolean
  }
}
export interface PeriodValue {
  /**
   * First day of the period.
   */
  period_start: string
  /**
   * All labels together. An exact decimal; null if nothing was delivered for it.
   */
  value: string | null
}
export interface SourceList {
  sources: ListedSource[]
  /**
   * Names the next page; null on the last one. Its form may change.
   */
  next_cursor: string | null
}
/**
 * `activity` is null for readers.
 */
export interface ListedSource {
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
  channel: 'push' | 'webhook'
  format: ('json' | 'json_lines' | 'csv' | 'sie') | null
  /**
   * The current one.
   */
  shape_version: number
  /**
   * Grows with every change of its settings or its declaration; what `saveSource` compares.
   */
  revision: number
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
   * Who paused it; null while it is active, and where the operator did.
   */
  paused_by: {
    /**
     * The member.
     */
    member_id: string
    /**
     * Their name; null until they have signed in.
     */
    name: string | null
  } | null
  /**
   * Why, in the words of who paused it.
   */
  pause_reason: string | null
  /**
   * When it was made.
   */
  created_at: string
  /**
   * Of a webhook source: when the secret that its sender signs with was created.
   */
  signing_secret_created_at: string | null
  /**
   * After a rotation: until when the secret before the current one works.
   */
  previous_signing_secret_ends_at: string | null
  activity: SourceActivity | null
}
export interface SourceActivity {
  last_delivery: LastDelivery | null
  freshness: Freshness
  rebuild: RebuildProgress | null
}
/**
 * The last in production; without any, the last test delivery.
 */
export interface LastDelivery {
  /**
   * The delivery.
   */
  artifact_id: string
  /**
   * Its key, or its delivery id.
   */
  idempotency_key: string
  /**
   * When it was received.
   */
  received_at: string
  /**
   * True: nothing has come in production yet.
   */
  sandbox: boolean
  /**
   * What became of it.
   */
  state: 'queued' | 'parsed' | 'unreadable'
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
export interface Freshness {
  /**
   * When the last delivery in production was received.
   */
  last_received_at: string | null
  /**
   * The usual time between two sendings: the median of the gaps of at least a minute among the last 20 in production. Null where there are fewer than three.
   */
  usual_seconds: number | null
  /**
   * Three times as long as usual has passed. Never of a paused source.
   */
  late: boolean
}
/**
 * Null while none is under way.
 */
export interface RebuildProgress {
  /**
   * `waiting`: other sources of the company come first; `counting`: `total` still grows; `parsing`: it is whole.
   */
  state: 'waiting' | 'counting' | 'parsing'
  /**
   * Deliveries that are parsed. Null while more wait than are counted (50,000).
   */
  done: number | null
  /**
   * Deliveries that are to be parsed.
   */
  total: number
  /**
   * About how long the rest takes, at the pace of late. Null while that is not known: in the first seconds, while `total` grows or `done` is not known, and where all that wait failed before.
   */
  seconds_left: number | null
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
  channel?: 'push' | 'webhook'
  format?: ('json' | 'json_lines' | 'csv' | 'sie') | null
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
   * How it counts. `sum`: the sum of a field, or of its product with `times`; `count`: the number of rows, or of those with a value; `count_distinct`: the number of distinct values; `min`: the smallest number; `max`: the largest number; `last`: the number with the latest event time.
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
export interface CreatedSource {
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
  channel: 'push' | 'webhook'
  format: ('json' | 'json_lines' | 'csv' | 'sie') | null
  /**
   * The current one.
   */
  shape_version: number
  /**
   * Grows with every change of its settings or its declaration; what `saveSource` compares.
   */
  revision: number
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
   * Who paused it; null while it is active, and where the operator did.
   */
  paused_by: {
    /**
     * The member.
     */
    member_id: string
    /**
     * Their name; null until they have signed in.
     */
    name: string | null
  } | null
  /**
   * Why, in the words of who paused it.
   */
  pause_reason: string | null
  /**
   * When it was made.
   */
  created_at: string
  /**
   * Of a webhook source: when the secret that its sender signs with was created.
   */
  signing_secret_created_at: string | null
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
  activity: SourceActivity
  stored: StoredDeliveries
  /**
   * Those that work, the current one first; none of a push source.
   */
  signing_secrets: SigningSecretState[]
  /**
   * Newest first.
   */
  versions: ShapeVersion[]
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
  channel: 'push' | 'webhook'
  format: ('json' | 'json_lines' | 'csv' | 'sie') | null
  /**
   * The current one.
   */
  shape_version: number
  /**
   * Grows with every change of its settings or its declaration; what `saveSource` compares.
   */
  revision: number
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
   * Who paused it; null while it is active, and where the operator did.
   */
  paused_by: {
    /**
     * The member.
     */
    member_id: string
    /**
     * Their name; null until they have signed in.
     */
    name: string | null
  } | null
  /**
   * Why, in the words of who paused it.
   */
  pause_reason: string | null
  /**
   * When it was made.
   */
  created_at: string
  /**
   * Of a webhook source: when the secret that its sender signs with was created.
   */
  signing_secret_created_at: string | null
  /**
   * After a rotation: until when the secret before the current one works.
   */
  previous_signing_secret_ends_at: string | null
}
export interface StoredDeliveries {
  /**
   * Test deliveries too.
   */
  deliveries: number
  /**
   * What is kept of them, before compression.
   */
  content_bytes: number
  /**
   * There are more than are counted (50,000).
   */
  more: boolean
}
export interface SigningSecretState {
  /**
   * When it was made.
   */
  created_at: string
  /**
   * Until when it works; null: it is the current one.
   */
  ends_at: string | null
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
  /**
   * Who saved it; null where the operator did.
   */
  saved_by: {
    /**
     * The member.
     */
    member_id: string
    /**
     * Their name; null until they have signed in.
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
  channel?: 'push' | 'webhook'
  format?: ('json' | 'json_lines' | 'csv' | 'sie') | null
}
export interface SourceSave {
  /**
   * `revision` of the source that was changed.
   */
  expected_revision: number
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
  channel: 'push' | 'webhook'
  format: ('json' | 'json_lines' | 'csv' | 'sie') | null
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
export interface SavedSource {
  source: CreatedSource
  /**
   * The declaration is a new shape version.
   */
  created_version: boolean
  /**
   * The stored deliveries are being rebuilt.
   */
  rebuilds: boolean
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
   * The version that this save created.
   */
  shape_version: number
  /**
   * The stored deliveries are being rebuilt.
   */
  rebuilds: boolean
}
export interface SourcePause {
  /**
   * Why, for the other members; at most 200 characters.
   */
  reason?: string | null
}
export interface PreviewInput {
  declaration: DeclarationInput
  example?: ExampleInput | null
}
export interface DeclarationInput {
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
/**
 * `format` null or left out: found from the first bytes.
 */
export interface ExampleInput {
  format?: ('json' | 'json_lines' | 'csv' | 'sie') | null
  /**
   * What was pasted. Either this or `content_base64`.
   */
  text?: string
  /**
   * The bytes of a file in base64, at most 8 MiB of them.
   */
  content_base64?: string
}
export interface Preview {
  /**
   * What was aggregated.
   */
  of: 'example' | 'deliveries'
  /**
   * They are test deliveries: nothing has come in production yet.
   */
  sandbox: boolean
  /**
   * Those that were aggregated, the latest first; the example is one.
   */
  deliveries: PreviewedDelivery[]
  /**
   * False: of the last 20 deliveries, those that are more than 8 MiB or 2 seconds were left out.
   */
  complete: boolean
  /**
   * Rows of all of them, refused ones included.
   */
  rows_read: number
  /**
   * Rows that fit the fields.
   */
  rows_accepted: number
  /**
   * Rows that do not.
   */
  rows_refused: number
  metrics: PreviewedMetric[]
  /**
   * The first 200, newest first. Of these deliveries alone: those before them would add to them.
   */
  samples: PreviewedSample[]
  /**
   * There are more.
   */
  samples_truncated: boolean
  saving: SavingEffect | null
}
export interface PreviewedDelivery {
  /**
   * The delivery; null: it is the example.
   */
  artifact_id: string | null
  /**
   * Its key, or its delivery id.
   */
  idempotency_key: string | null
  /**
   * When it was received.
   */
  received_at: string | null
  /**
   * `unreadable`: no row of it counts.
   */
  state: 'parsed' | 'unreadable'
  /**
   * Why it is unreadable.
   */
  reason: string | null
  /**
   * Of the example: undeclared keys, at most 50.
   */
  dropped_keys: string[]
  /**
   * Rows that count.
   */
  rows_accepted: number
  /**
   * Rows that do not fit the fields.
   */
  rows_refused: number
  /**
   * Accepted rows of which some timestamp was a date alone.
   */
  rows_date_alone: number
  /**
   * Accepted rows that added nothing to a metric because a field was missing or empty. Null while it is queued, and where it was parsed before this was counted.
   */
  missing_values: MissingValue[] | null
  /**
   * Accepted rows dated more than 366 days after the day of receipt; they count. Null while it is queued, and where it was parsed before this was counted.
   */
  rows_far_ahead: number | null
  /**
   * The first 10 rows dated far ahead.
   */
  far_ahead: FarAheadRow[]
  /**
   * Of the refused rows the first 20.
   */
  refusals: PreviewRefusal[]
}
export interface PreviewRefusal {
  /**
   * The row’s number in the delivery, from 1.
   */
  row: number
  /**
   * The line that it begins on.
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
  /**
   * What stands there, at most 200 characters. Null for a personal field.
   */
  value: string | null
  /**
   * The same as it would be read, where that is beyond doubt.
   */
  suggestion: string | null
}
export interface PreviewedMetric {
  /**
   * The metric key.
   */
  metric: string
  /**
   * How it counts.
   */
  aggregation: 'sum' | 'count' | 'count_distinct' | 'min' | 'max' | 'last'
  /**
   * Accepted rows that it counts.
   */
  rows_counted: number
  /**
   * Those that it does not: a condition does not hold, or what is counted is missing.
   */
  rows_left_out: number
}
export interface PreviewedSample {
  /**
   * The metric key.
   */
  metric: string
  /**
   * First day of the period.
   */
  period_start: string
  /**
   * Exact decimal.
   */
  value: string
  /**
   * Its labels.
   */
  labels: {
    [k: string]: string
  }
  /**
   * Rows behind it.
   */
  rows: number
  /**
   * Of statements: more than one of the deliveries has the period.
   */
  restated: boolean
}
/**
 * What saving the declaration would do; null for a source that is not made yet.
 */
export interface SavingEffect {
  /**
   * The shape version that saving it makes; null: it is the current one.
   */
  makes_version: number | null
  /**
   * All stored deliveries would be aggregated again.
   */
  rebuilds: boolean
  stored: StoredDeliveries
}
export interface MetricReport {
  /**
   * The source.
   */
  source_id: string
  /**
   * Its name.
   */
  source_name: string
  /**
   * The metric’s key.
   */
  metric: string
  /**
   * Its name.
   */
  name: string
  /**
   * Its unit, such as `SEK` or `count`.
   */
  unit: string
  /**
   * How rows are aggregated.
   */
  aggregation: 'sum' | 'count' | 'count_distinct' | 'min' | 'max' | 'last'
  combines: ('sum' | 'min' | 'max') | null
  /**
   * The period of the metric’s samples.
   */
  period: 'day' | 'week' | 'month'
  /**
   * The periods of this answer.
   */
  grain: 'day' | 'week' | 'month'
  /**
   * What `grain` may be: longer periods than the metric’s own only if days combine.
   */
  grains: ('day' | 'week' | 'month')[]
  /**
   * The current day in the company’s time zone.
   */
  today: string
  /**
   * The company’s time zone, an IANA name.
   */
  time_zone: string
  /**
   * The days that were read.
   */
  window: {
    /**
     * First day read: the first of its period.
     */
    from: string
    /**
     * The day after the last day read, which ends its period.
     */
    to: string
    /**
     * The widest window, before it is widened to whole periods.
     */
    max_days: number
    /**
     * Whether `from` was further back than that, and was moved forward.
     */
    narrowed: boolean
  }
  /**
   * As known at this instant; null: as known now.
   */
  as_of: string | null
  /**
   * The label that the series are by.
   */
  by: string | null
  /**
   * The values of the filter, label by label.
   */
  where: {
    [k: string]: string[]
  }
  /**
   * What the metric is grouped by.
   */
  labels: {
    /**
     * The label.
     */
    name: string
    /**
     * Its values in these periods, before any filter; at most 100, in code point order. The empty text stands for rows without it.
     */
    values: string[]
    /**
     * Whether there are more of them.
     */
    more: boolean
  }[]
  /**
   * If values do not combine: labels that need one value, given with `where.<label>`, before there is a series. Empty otherwise.
   */
  choose: string[]
  /**
   * The oldest first.
   */
  periods: {
    /**
     * Its first day.
     */
    start: string
    /**
     * Its last day.
     */
    end: string
    /**
     * Whether its last day has passed.
     */
    finished: boolean
    /**
     * Whether anything was delivered for it, before any filter.
     */
    known: boolean
    /**
     * The last day of it that a delivery covers; null if none does.
     */
    known_to: string | null
    /**
     * Whether any of it was stated more than once.
     */
    restated: boolean
    /**
     * When the statement was received that restated it last.
     */
    restated_at: string | null
    /**
     * If it is restated: the total before that. An exact decimal; null if nothing was delivered for it.
     */
    was: string | null
  }[]
  /**
   * At most 8, the largest first, by the sum of their absolute values.
   *
   * @maxItems 8
   */
  series: {
    /**
     * The label’s value; null without `by`.
     */
    key: string | null
    /**
     * Items: The value of the period at the same place of `periods`. An exact decimal; null if nothing was delivered for it.
     */
    values: (string | null)[]
    /**
     * All periods together, as `combines` says; null if they do not combine. An exact decimal; null if nothing was delivered for it.
     */
    row_total: string | null
  }[]
  /**
   * All others together, if they may be added.
   */
  other: {
    /**
     * Items: The value of the period at the same place of `periods`. An exact decimal; null if nothing was delivered for it.
     */
    values: (string | null)[]
    /**
     * All periods together, as `combines` says; null if they do not combine. An exact decimal; null if nothing was delivered for it.
     */
    row_total: string | null
    /**
     * How many values of the label these are.
     */
    label_values: number
  } | null
  /**
   * How many values of the label are in no series.
   */
  left_out: number
  totals: (string | null)[] | null
  /**
   * All periods together, as `combines` says; null if they do not combine. An exact decimal; null if nothing was delivered for it.
   */
  row_total: string | null
  /**
   * With `compare=year`: the same day of the month, week number or month.
   */
  year_before: {
    /**
     * Items: The period a year before; null if there is none: a leap day, or week 53.
     */
    starts: (string | null)[]
    totals: (string | null)[] | null
    /**
     * All periods together, as `combines` says; null if they do not combine. An exact decimal; null if nothing was delivered for it.
     */
    row_total: string | null
  } | null
  /**
   * With `as_of`: as known today.
   */
  vintage_today: {
    totals: (string | null)[] | null
    /**
     * All periods together, as `combines` says; null if they do not combine. An exact decimal; null if nothing was delivered for it.
     */
    row_total: string | null
  } | null
  /**
   * False: there are more samples in the window than are counted. `window.from` was moved forward, or the oldest periods of `year_before` have no total.
   */
  complete: boolean
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
  channel: 'push' | 'webhook'
  format: ('json' | 'json_lines' | 'csv' | 'sie') | null
  /**
   * The current one.
   */
  shape_version: number
  /**
   * Grows with every change of its settings or its declaration; what `saveSource` compares.
   */
  revision: number
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
   * Who paused it; null while it is active, and where the operator did.
   */
  paused_by: {
    /**
     * The member.
     */
    member_id: string
    /**
     * Their name; null until they have signed in.
     */
    name: string | null
  } | null
  /**
   * Why, in the words of who paused it.
   */
  pause_reason: string | null
  /**
   * When it was made.
   */
  created_at: string
  /**
   * Of a webhook source: when the secret that its sender signs with was created.
   */
  signing_secret_created_at: string | null
  /**
   * After a rotation: until when the secret before the current one works.
   */
  previous_signing_secret_ends_at: string | null
  /**
   * What the sender signs with, prefix `nws_` included. Shown here and never again.
   */
  signing_secret: string
}
export interface ReportTrace {
  deliveries: TracedReportDelivery[]
  /**
   * The source.
   */
  source_id: string
  /**
   * The metric’s key.
   */
  metric: string
  /**
   * The length of the period.
   */
  grain: 'day' | 'week' | 'month'
  /**
   * First day of the period.
   */
  period_start: string
  /**
   * Its last day.
   */
  period_end: string
  /**
   * The labels’ values that were named.
   */
  labels: {
    [k: string]: string[]
  }
  /**
   * Those that were left out.
   */
  except: {
    [k: string]: string[]
  }
  /**
   * The value as known now. An exact decimal; null if nothing was delivered for it.
   */
  value: string | null
  /**
   * The instant of the call.
   */
  as_of: string | null
  /**
   * The value as known at `as_of`. An exact decimal; null if nothing was delivered for it.
   */
  value_then: string | null
  /**
   * Whether any of the period was stated more than once.
   */
  restated: boolean
  /**
   * Whether the caller may open these deliveries: owners and developers may.
   */
  delivery_visible: boolean
  /**
   * Names the next page; null on the last one. Its form may change.
   */
  next_cursor: string | null
}
export interface TracedReportDelivery {
  /**
   * The delivery.
   */
  artifact_id: string
  /**
   * When it was received.
   */
  received_at: string
  /**
   * The version that it is parsed under.
   */
  shape_version: number
  /**
   * What its own rows come to. An exact decimal; null if nothing was delivered for it.
   */
  value: string | null
  /**
   * Its rows behind that.
   */
  rows: number
  /**
   * Refused rows of the whole delivery.
   */
  rows_refused: number
  /**
   * The days of the period that its rows are about.
   */
  covers: {
    /**
     * First day.
     */
    from: string
    /**
     * Last day.
     */
    to: string
  }
  /**
   * The part of it that counts now. An exact decimal; null if nothing was delivered for it.
   */
  counts_now: string | null
  /**
   * The part of it that counted at `as_of`; null without `as_of`. An exact decimal; null if nothing was delivered for it.
   */
  counts_then: string | null
  /**
   * Whether it had been received at `as_of`; null without `as_of`.
   */
  received_then: boolean | null
  /**
   * For a distinct count of events: how many values no earlier delivery had.
   */
  added: number | null
  /**
   * For a last value: its event time, in UTC.
   */
  event_at: string | null
  /**
   * Whether later statements replaced all of it.
   */
  superseded: boolean
  /**
   * The deliveries that replaced some or all of it.
   *
   * Items: A delivery.
   */
  superseded_by: string[]
}
export interface ReadExample {
  /**
   * What it is written as.
   */
  format: 'json' | 'json_lines' | 'csv' | 'sie'
  /**
   * How its text is written. Only UTF-8 is taken in deliveries, and code page 437 in SIE files; what else was found here is in the warnings.
   */
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'cp437'
  /**
   * Of CSV: what separates its columns.
   */
  delimiter: string | null
  /**
   * How many rows it has.
   */
  rows: number
  /**
   * The first of them, which the fields are proposed from: at most 10,000.
   */
  rows_examined: number
  /**
   * In the order in which they stand there, at most 200.
   */
  fields: ExampleField[]
  /**
   * The timestamp field that says when; null: there is none.
   */
  event_time: string | null
  /**
   * The first 20 rows: by field, its value, at most 200 characters of it. Null: missing, an object or a list.
   */
  first_rows: (string | null)[][]
  /**
   * At most 200.
   */
  warnings: ExampleWarning[]
}
export interface ExampleField {
  /**
   * The column or key.
   */
  name: string
  /**
   * The type that its values have.
   */
  type: 'number' | 'text' | 'timestamp' | 'bool'
  /**
   * Whether it looks like data about a person.
   */
  personal: boolean
  personal_guess: PersonalGuess | null
  /**
   * Rows looked at that have a value.
   */
  filled: number
  /**
   * The first 3 different values, at most 200 characters each.
   */
  examples: string[]
}
export interface PersonalGuess {
  /**
   * What it looks like.
   */
  kind:
    | 'email'
    | 'personal_number'
    | 'phone'
    | 'name'
    | 'person'
    | 'address'
    | 'birth_date'
    | 'ip_address'
    | 'bank_account'
  /**
   * What gives it away.
   */
  by: 'name' | 'values'
}
export interface ExampleWarning {
  /**
   * `not_utf8`: deliveries in this encoding are refused, send UTF-8; `separator_not_read`: the columns are separated by something other than `,` or `;`, in `value`; `name_missing`: a column without a name; `name_twice`: two of one name, such a file is refused; `name_not_allowed`: a name that no field may have; `name_invisible`: one with characters that are not seen; `too_many_fields`: `rows` is how many there are, the first 200 are proposed; `would_be_refused`: `rows` of the rows looked at do not fit the proposed type as they are written; `mostly_numbers`: proposed as text, since `rows` of the rows looked at are no numbers; `not_plain`: a value is an object or a list, which refuses its row; `cells_differ`: `rows` records have another number of cells than the header row; `envelope`: the whole body of a push was given, its payload was looked at; `no_event_time`: no field is a timestamp, and a source needs one.
   */
  code:
    | 'not_utf8'
    | 'separator_not_read'
    | 'name_missing'
    | 'name_twice'
    | 'name_not_allowed'
    | 'name_invisible'
    | 'too_many_fields'
    | 'would_be_refused'
    | 'mostly_numbers'
    | 'not_plain'
    | 'cells_differ'
    | 'envelope'
    | 'no_event_time'
  /**
   * The field concerned.
   */
  field: string | null
  /**
   * The first row concerned.
   */
  row: number | null
  /**
   * What stands there, at most 200 characters.
   */
  value: string | null
  /**
   * The same as it would be read.
   */
  suggestion: string | null
  /**
   * How many are concerned.
   */
  rows: number | null
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
   * `connections`: those that are neither revoked nor expired. `shape_versions`: of the source that has most. `cells`: one for each metric, period and label set of a source, also while it is rebuilt. `stored_bytes`: content of deliveries, and 1,024 bytes each. `waiting_bytes` and `waiting_deliveries`: what is still to be parsed.
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
export interface NewDemoCompany {
  /**
   * At most 100 characters.
   */
  name: string
}
export interface DemoCompany {
  /**
   * The company.
   */
  company_id: string
  /**
   * Organisation number as it is displayed.
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
   * `owner`: everything. `developer`: sources, connections, developer page, reports. `reader`: reports.
   */
  role: 'owner' | 'developer' | 'reader'
}
export interface InvitationToken {
  /**
   * From the fragment of the link: sent only in a body, never in an address.
   */
  token: string
}
export interface AcceptedInvitation {
  /**
   * The company.
   */
  company_id: string
  /**
   * `owner`: everything. `developer`: sources, connections, developer page, reports. `reader`: reports.
   */
  role: 'owner' | 'developer' | 'reader'
}
export interface InvitationToAccept {
  company: {
    /**
     * Organisation number as it is displayed.
     */
    orgnr: string
    /**
     * Its name.
     */
    name: string
  }
  /**
   * `owner`: everything. `developer`: sources, connections, developer page, reports. `reader`: reports.
   */
  role: 'owner' | 'developer' | 'reader'
  created_by: {
    /**
     * The name of the owner who invites.
     */
    name: string | null
  }
  /**
   * When the link expires.
   */
  expires_at: string
  current_role: ('owner' | 'developer' | 'reader') | null
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
   * From the electronic identity.
   */
  name: string | null
  /**
   * When they are signed out.
   */
  expires_at: string
  /**
   * To be sent as `X-CSRF-Token` with every write.
   */
  csrf_token: string
  identity: {
    /**
     * The electronic identity of this deployment.
     */
    provider: string
    /**
     * Whether anyone may claim to be anyone.
     */
    demo: boolean
    /**
     * Whether it can sign, and not only sign people in.
     */
    signs: boolean
  }
  companies: Membership[]
  /**
   * Events of the last 14 days that give others access, or may be a sign of it, and that the person has not dismissed: at most 5 per company, the oldest first.
   */
  notices: Notice[]
}
export interface Membership {
  /**
   * The company.
   */
  company_id: string
  /**
   * Organisation number as it is displayed.
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
   * Their role in the company.
   */
  role: 'owner' | 'developer' | 'reader'
}
export interface Notice {
  /**
   * A company that the person owns.
   */
  company_id: string
  event: AuditEvent
}
export interface OwnSessionList {
  sessions: OwnSession[]
}
export interface OwnSession {
  /**
   * The session. It is not a credential.
   */
  session_id: string
  /**
   * Whether it is the session of this call.
   */
  current: boolean
  /**
   * Such as Firefox; null if unknown.
   */
  browser: string | null
  /**
   * Such as Windows or iPhone; null if unknown.
   */
  system: string | null
  /**
   * The network, a /24 or /56, that the person signed in from. Null with the demo’s electronic identity.
   */
  network: string | null
  /**
   * The electronic identity that the person signed in with.
   */
  provider: string
  /**
   * When the person signed in.
   */
  signed_in_at: string
  /**
   * When it was last used, to the minute.
   */
  last_active_at: string
}
export interface BeginSignIn {
  /**
   * Path of the page that the person returns to, with its query and without fragment; the first page by default. Null: the page must stay open, and the app opens no address.
   */
  return_to?: string | null
  /**
   * Where the person has BankID’s app: on `this` device, for which the answer has an address that starts it, or on an `other` (the default), for which it has a QR code. Other electronic identities ignore it.
   */
  device?: 'this' | 'other'
}
export interface SignInProgress {
  state: 'pending' | 'failed' | 'complete'
  /**
   * While pending: what it waits for, in the provider’s word.
   */
  hint?: string
  /**
   * When failed: `refused`, `expired`, `unavailable`, `not_verified`, `other_network`, `no_public_address`, `ended`, `used`, `other_person`, or the provider’s own word.
   */
  reason?: string
  presentation?: Presentation
  /**
   * While pending: what the person is to sign.
   */
  visible_text?: string
  /**
   * When complete: who is signed in.
   */
  member_id?: string
}
export interface ReturnFromApp {
  /**
   * From the address that the app opened: 256 bits as base64url.
   */
  return_nonce: string
}
export interface ReturnedFromApp {
  /**
   * Path of the page to go to.
   */
  return_to: string
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
   * The company’s present name.
   */
  company_name: string | null
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
export interface SignatureEvidence {
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
   * The company’s present name.
   */
  company_name: string | null
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
  /**
   * The proof, as the electronic identity gave it.
   */
  evidence: string
}
