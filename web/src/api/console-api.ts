// Written by `npm run openapi` from the contracts of the API.

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
  'PATCH /console/companies/{company_id}': {
    path: {
      company_id: string
    }
    body: CompanyChange
    answer: ChangedCompany
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
  'POST /console/companies/{company_id}/apps/{connection_id}/end': {
    path: {
      company_id: string
      connection_id: string
    }
    body: {}
    answer: undefined
  }
  'GET /console/companies/{company_id}/attention': {
    path: {
      company_id: string
    }
    answer: CompanyAttention
  }
  'POST /console/companies/{company_id}/attention/marks': {
    path: {
      company_id: string
    }
    body: AttentionMark
    answer: undefined
  }
  'GET /console/companies/{company_id}/audit': {
    path: {
      company_id: string
    }
    query: {
      cursor?: string
      limit?: string
      kind?: 'company' | 'source' | 'connection' | 'member' | 'invitation'
      member?: string
      from?: string
      to?: string
    }
    answer: AuditEventList
  }
  'GET /console/companies/{company_id}/audit.ndjson': {
    path: {
      company_id: string
    }
    query: {
      kind?: 'company' | 'source' | 'connection' | 'member' | 'invitation'
      member?: string
      from?: string
      to?: string
    }
    answer: undefined
  }
  'GET /console/companies/{company_id}/combined-report': {
    path: {
      company_id: string
    }
    query: {
      line?: string | string[]
      grain?: 'day' | 'week' | 'month'
      from?: string
      to?: string
      compare?: 'year'
      as_of?: string
    }
    answer: CombinedReport
  }
  'GET /console/companies/{company_id}/connections': {
    path: {
      company_id: string
    }
    query: {
      cursor?: string
      limit?: string
      state?: 'unsigned' | 'signed' | 'expired' | 'revoked'
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
    body: {}
    answer: undefined
  }
  'POST /console/companies/{company_id}/connections/{connection_id}/revoke': {
    path: {
      company_id: string
      connection_id: string
    }
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
    body: {}
    answer: undefined
  }
  'POST /console/companies/{company_id}/connections/{connection_id}/sign/{order_id}/collect': {
    path: {
      company_id: string
      connection_id: string
      order_id: string
    }
    body: {}
    answer: ConnectionSigningProgress
  }
  'GET /console/companies/{company_id}/deletion': {
    path: {
      company_id: string
    }
    answer: DeletionState
  }
  'POST /console/companies/{company_id}/deletion/sign': {
    path: {
      company_id: string
    }
    body: DeletionToSign
    answer: BegunOrder
  }
  'POST /console/companies/{company_id}/deletion/sign/{order_id}/cancel': {
    path: {
      company_id: string
      order_id: string
    }
    body: {}
    answer: undefined
  }
  'POST /console/companies/{company_id}/deletion/sign/{order_id}/collect': {
    path: {
      company_id: string
      order_id: string
    }
    body: {}
    answer: DeletionSigningProgress
  }
  'POST /console/companies/{company_id}/deletion/withdraw': {
    path: {
      company_id: string
    }
    body: {}
    answer: undefined
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
  'GET /console/companies/{company_id}/deliveries/{artifact_id}/difference': {
    path: {
      company_id: string
      artifact_id: string
    }
    query: {
      cursor?: string
      limit?: string
      metric: string
      period_start: string
      grain?: 'day' | 'week' | 'month'
      with: string
      key?: string | string[]
    }
    answer: RowDifference
  }
  'GET /console/companies/{company_id}/deliveries/{artifact_id}/refusals': {
    path: {
      company_id: string
      artifact_id: string
    }
    answer: DeliveryRefusals
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
  'GET /console/companies/{company_id}/deliveries/{artifact_id}/value-rows': {
    path: {
      company_id: string
      artifact_id: string
    }
    query: {
      cursor?: string
      limit?: string
      metric: string
      period_start: string
      grain?: 'day' | 'week' | 'month'
    }
    answer: ValueRows
  }
  'GET /console/companies/{company_id}/deliveries/events': {
    path: {
      company_id: string
    }
    answer: undefined
  }
  'POST /console/companies/{company_id}/export': {
    path: {
      company_id: string
    }
    body: {}
    answer: undefined
  }
  'GET /console/companies/{company_id}/export': {
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
    body: {}
    answer: undefined
  }
  'GET /console/companies/{company_id}/label-names': {
    path: {
      company_id: string
    }
    answer: LabelNamesList
  }
  'PUT /console/companies/{company_id}/label-names': {
    path: {
      company_id: string
    }
    body: LabelNamesSave
    answer: LabelNames
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
  'GET /console/companies/{company_id}/links': {
    path: {
      company_id: string
    }
    answer: ReadOnlyLinkList
  }
  'POST /console/companies/{company_id}/links': {
    path: {
      company_id: string
    }
    body: NewReadOnlyLink
    answer: CreatedReadOnlyLink
  }
  'DELETE /console/companies/{company_id}/links/{link_id}': {
    path: {
      company_id: string
      link_id: string
    }
    answer: undefined
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
  'PUT /console/companies/{company_id}/sources/{source_id}': {
    path: {
      company_id: string
      source_id: string
    }
    body: SourceSave
    answer: SavedSource
  }
  'GET /console/companies/{company_id}/sources/{source_id}/days': {
    path: {
      company_id: string
      source_id: string
    }
    query: {
      sandbox?: 'true' | 'false'
    }
    answer: SourceDays
  }
  'POST /console/companies/{company_id}/sources/{source_id}/end-previous-signing-secret': {
    path: {
      company_id: string
      source_id: string
    }
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
  'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}/annotations': {
    path: {
      company_id: string
      source_id: string
      metric: string
    }
    query: {
      from?: string
      to?: string
    }
    answer: Annotations
  }
  'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}/evidence': {
    path: {
      company_id: string
      source_id: string
      metric: string
    }
    query: {
      period_start: string
      grain?: 'day' | 'week' | 'month'
      as_of?: string
    }
    answer: Evidence
  }
  'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}/evidence/file.json': {
    path: {
      company_id: string
      source_id: string
      metric: string
    }
    query: {
      period_start: string
      grain?: 'day' | 'week' | 'month'
      as_of?: string
    }
    answer: Evidence
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
  'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}/file.xlsx': {
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
  'PUT /console/companies/{company_id}/sources/{source_id}/reports/{metric}/look': {
    path: {
      company_id: string
      source_id: string
      metric: string
    }
    query: {
      grain?: 'day' | 'week' | 'month'
      from?: string
      to?: string
    }
    body: {}
    answer: ReportLook
  }
  'POST /console/companies/{company_id}/sources/{source_id}/reports/{metric}/notes': {
    path: {
      company_id: string
      source_id: string
      metric: string
    }
    body: NewNote
    answer: Note
  }
  'PUT /console/companies/{company_id}/sources/{source_id}/reports/{metric}/notes/{note_id}': {
    path: {
      company_id: string
      source_id: string
      metric: string
      note_id: string
    }
    body: NoteChange
    answer: Note
  }
  'DELETE /console/companies/{company_id}/sources/{source_id}/reports/{metric}/notes/{note_id}': {
    path: {
      company_id: string
      source_id: string
      metric: string
      note_id: string
    }
    answer: undefined
  }
  'PUT /console/companies/{company_id}/sources/{source_id}/reports/{metric}/targets': {
    path: {
      company_id: string
      source_id: string
      metric: string
    }
    body: TargetsSave
    answer: Targets
  }
  'POST /console/companies/{company_id}/sources/{source_id}/resume': {
    path: {
      company_id: string
      source_id: string
    }
    body: {}
    answer: undefined
  }
  'POST /console/companies/{company_id}/sources/{source_id}/rotate-signing-secret': {
    path: {
      company_id: string
      source_id: string
    }
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
  'GET /console/companies/{company_id}/views': {
    path: {
      company_id: string
    }
    answer: SavedViewList
  }
  'POST /console/companies/{company_id}/views': {
    path: {
      company_id: string
    }
    body: {
      for: 'member' | 'company'
      name: string
      search: string
      pinned: boolean
      report?: {
        source_id: string
        metric: string
      }
    }
    answer: SavedView
  }
  'PATCH /console/companies/{company_id}/views/{view_id}': {
    path: {
      company_id: string
      view_id: string
    }
    body: {
      expected_revision: number
      name?: string
      search?: string
      pinned?: boolean
      place?: number
    }
    answer: SavedView
  }
  'DELETE /console/companies/{company_id}/views/{view_id}': {
    path: {
      company_id: string
      view_id: string
    }
    answer: undefined
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
    body: {}
    answer: undefined
  }
  'POST /console/sessions/sign-out': {
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
    body: {}
    answer: undefined
  }
  'POST /console/sign-in/{order_id}/collect': {
    path: {
      order_id: string
    }
    body: {}
    answer: SignInProgress
  }
  'POST /console/sign-in/return': {
    body: ReturnFromApp
    answer: ReturnedFromApp
  }
  'POST /console/sign-out': {
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
  next_cursor: string | null
}
export interface AppConnection {
  connection_id: string
  member_id: string
  client_id: string
  client_name: string
  redirect_host: string
  state: 'active' | 'ended'
  permissions: ('company.read' | 'metrics.read')[]
  companies: {
    every: boolean
    chosen: CompanyName[]
  }
  resources: string[]
  consented_at: string
  expires_at: string
  ended_at: string | null
  ended_by: ('member' | 'operator' | 'expiry') | null
  last_called_at: string | null
}
export interface CompanyName {
  company_id: string
  orgnr: string
  name: string
}
export interface AppCallList {
  calls: AppCall[]
  next_cursor: string | null
}
export interface AppCall {
  call_id: string
  company: CompanyName | null
  method: string
  path: string
  status: number
  code: string | null
  called_at: string
}
export interface AuthorizeQuery {
  query: string
}
export interface ConsentQuestion {
  state: 'consent'
  app: {
    client_id: string
    client_name: string
    redirect_host: string
    redirect_uri: string
  }
  permissions: {
    permission: 'company.read' | 'metrics.read'
    granted: boolean
  }[]
  companies: {
    choices: {
      company_id: string
      orgnr: string
      name: string
      suggested: boolean
      granted: boolean
    }[]
    every_granted: boolean
  }
  resources: {
    resource: string
    granted: boolean
  }[]
  ends_at: string
  adds: boolean
}
export interface AuthorizeRedirect {
  state: 'redirect'
  location: string
}
export interface ConsentDenial {
  location: string
}
export interface ConsentChoice {
  query: string
  /**
   * @maxItems 2
   */
  permissions: ('company.read' | 'metrics.read')[]
  companies: {
    every: boolean
    /**
     * @maxItems 200
     */
    company_ids?: string[]
  }
  language?: 'en' | 'sv'
  return_to?: string | null
  device?: 'this' | 'other'
}
export interface ConsentSigning {
  state: 'signing'
  order_id: string
  expires_at: string
  demo: boolean
  presentation: Presentation
  visible_text?: string
}
export interface Presentation {
  open_url?: string
  launch_url?: string
  qr_text?: string
}
export interface ConsentProgress {
  state: 'pending' | 'failed' | 'complete'
  hint?: string
  reason?: string
  presentation?: Presentation
  visible_text?: string
  location?: string
}
export interface OwnCompanyList {
  companies: OwnCompany[]
}
export interface OwnCompany {
  company_id: string
  orgnr: string
  name: string
  time_zone: string
  fiscal_year_month: number
  role: 'owner' | 'developer' | 'reader'
  late_sources: number | null
  last_received_at: string | null
}
export interface Company {
  company_id: string
  orgnr: string
  name: string
  time_zone: string
  fiscal_year_month: number
  created_at: string
  owners: {
    member_id: string
    name: string | null
  }[]
}
export interface CompanyChange {
  fiscal_year_month: number
  expected_fiscal_year_month: number
}
export interface ChangedCompany {
  company_id: string
  orgnr: string
  name: string
  time_zone: string
  fiscal_year_month: number
}
export interface CompanyAppList {
  apps: CompanyApp[]
  next_cursor: string | null
}
export interface CompanyApp {
  connection_id: string
  client_id: string
  client_name: string
  redirect_host: string
  member: {
    member_id: string
    name: string | null
  }
  permissions: ('company.read' | 'metrics.read')[]
  every_company: boolean
  consented_at: string
  expires_at: string
  last_called_at: string | null
}
export interface CompanyAttention {
  items: ListedAttention[]
  more: boolean
}
export interface ListedAttention {
  key: string
  version: string
  kind:
    | 'source_late'
    | 'period_corrected'
    | 'rows_refused'
    | 'paused_refusing'
    | 'connection_ends'
    | 'credential_ends'
    | 'secret_ends'
    | 'limit_near'
    | 'parsing_late'
  since: string | null
  source: {
    source_id: string
    name: string
  } | null
  connection: {
    connection_id: string
    name: string
  } | null
  metric: string | null
  period_start: string | null
  artifact_id: string | null
  count: number | null
  ends_at: string | null
  limit: string | null
  done: {
    member_id: string
    name: string | null
    at: string
  } | null
}
export interface AttentionMark {
  key: string
  version: string
  done: boolean
}
export interface AuditEventList {
  events: AuditEvent[]
  next_cursor: string | null
}
export interface AuditEvent {
  event_id: string
  at: string
  count: number
  last_at: string
  member: {
    member_id: string
    name: string | null
    is_member: boolean
  } | null
  action:
    | 'company_created'
    | 'company_changed'
    | 'company_exported'
    | 'company_deletion_requested'
    | 'company_deletion_scheduled'
    | 'company_deletion_withdrawn'
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
    | 'link_created'
    | 'link_ended'
    | 'member_invited'
    | 'member_joined'
    | 'member_role_changed'
    | 'member_removed'
    | 'member_left'
    | 'invitation_created'
    | 'invitation_withdrawn'
    | 'signed_in'
    | 'signed_out'
    | 'session_ended'
    | 'signed_out_everywhere'
    | 'note_added'
    | 'note_changed'
    | 'note_removed'
    | 'targets_saved'
    | 'label_names_saved'
    | 'app_ended'
    | 'report_downloaded'
    | 'view_saved'
    | 'view_changed'
    | 'view_deleted'
    | 'evidence_downloaded'
    | 'audit_downloaded'
    | 'limits_changed'
    | 'act_refused'
  subject: {
    kind: 'company' | 'source' | 'connection' | 'member' | 'invitation'
    id: string
    name: string | null
  }
  details: {
    [k: string]: string | number | boolean | null
  }
}
export interface CombinedReport {
  grain: 'day' | 'week' | 'month'
  grains: ('day' | 'week' | 'month')[]
  today: string
  time_zone: string
  window: {
    from: string
    to: string
    max_days: number
    narrowed: boolean
  }
  as_of: string | null
  periods: {
    start: string
    end: string
    finished: boolean
  }[]
  year_before_starts: (string | null)[] | null
  /**
   * @maxItems 4
   */
  lines: {
    line: string
    unit: string
    denominator_unit: string | null
    numerator: Operand[]
    denominator: Operand[] | null
    values: CombinedValue[]
    total: {
      value: string | null
      numerator: string | null
      denominator: string | null
      reason: ('no_value' | 'no_denominator' | 'zero_denominator') | null
      missing: string[]
      periods: number
    } | null
    year_before: CombinedValue[] | null
  }[]
  complete: boolean
}
export interface Operand {
  source_id: string
  source_name: string
  metric: string
  name: string
  unit: string
}
export interface CombinedValue {
  value: string | null
  numerator: string | null
  denominator: string | null
  reason: ('no_value' | 'no_denominator' | 'zero_denominator') | null
  missing: string[]
}
export interface ConnectionList {
  connections: Connection[]
  next_cursor: string | null
}
export interface Connection {
  connection_id: string
  company: {
    company_id: string
    orgnr: string
    name: string
  }
  name: string
  state: 'unsigned' | 'signed' | 'expired' | 'revoked'
  kind: 'production' | 'sandbox' | 'demo'
  credential_kind: 'client' | 'static'
  /**
   * @minItems 1
   */
  permissions: ('sources.ingest' | 'metrics.read')[]
  source: {
    source_id: string
    name: string
  } | null
  further_companies: {
    company_id: string
    orgnr: string
    name: string
  }[]
  client_id: string | null
  created_by: {
    member_id: string
    name: string | null
    is_member: boolean
  } | null
  created_at: string
  signature_id: string | null
  signed_at: string | null
  signed_with: string | null
  expires_at: string | null
  expires_in_days: number | null
  expires_soon: boolean
  revoked_at: string | null
  revoked_by: {
    member_id: string
    name: string | null
  } | null
  last_used_at: string | null
  credentials: {
    last_four: string | null
    created_at: string
    ends_at: string | null
  }[]
  previous_credential_ends_at: string | null
}
export interface NewConnection {
  name: string
  source_id: string | null
  /**
   * @minItems 1
   */
  permissions: ('sources.ingest' | 'metrics.read')[]
  kind: 'production' | 'sandbox'
  credential_kind: 'client' | 'static'
  /**
   * @maxItems 100
   */
  further_company_ids?: string[]
}
export interface CreatedConnection {
  connection: Connection
  credential?: string
}
export interface Rotation {
  overlap_hours?: number
}
export interface RotatedConnection {
  connection: Connection
  credential: string
}
export interface ConnectionToSign {
  language?: 'en' | 'sv'
  return_to?: string | null
  device?: 'this' | 'other'
}
export interface BegunOrder {
  order_id: string
  expires_at: string
  demo: boolean
  presentation: Presentation
  visible_text?: string
}
export interface ConnectionSigningProgress {
  state: 'pending' | 'failed' | 'complete' | 'completed_before'
  hint?: string
  reason?: string
  presentation?: Presentation
  visible_text?: string
  connection?: Connection
  secret?: string
}
export interface DeletionState {
  deletion: Deletion | null
  exported_at: string | null
  owners: number
}
export interface Deletion {
  state: 'requested' | 'scheduled'
  requested_at: string
  requested_by: {
    member_id: string
    name: string | null
  }
  void_at: string | null
  deletes_after: string | null
}
export interface DeletionToSign {
  language?: 'en' | 'sv'
  return_to?: string | null
  device?: 'this' | 'other'
}
export interface DeletionSigningProgress {
  state: 'pending' | 'failed' | 'complete' | 'completed_before'
  hint?: string
  reason?: string
  presentation?: Presentation
  visible_text?: string
}
export interface DeliveryList {
  deliveries: DeliveryReport[]
  count: DeliveryCount | null
  searched_to: string | null
  next_cursor: string | null
}
export interface DeliveryReport {
  artifact_id: string
  source_id: string
  channel: 'push' | 'webhook'
  format: 'json' | 'json_lines' | 'csv' | 'sie'
  key: string
  connection: DeliveryConnection | null
  sandbox: boolean
  received_at: string
  shape_version: number
  delivers: 'events' | 'statements'
  content_bytes: number
  state: 'queued' | 'parsed' | 'unreadable'
  reason: string | null
  rows_accepted: number | null
  rows_refused: number | null
  rows_date_alone: number | null
  missing_values: MissingValue[] | null
  rows_far_ahead: number | null
}
export interface DeliveryConnection {
  connection_id: string
  name: string
}
export interface MissingValue {
  metric: string
  field: string
  rows: number
  similar_dropped_key?: string
}
export interface DeliveryCount {
  deliveries: number
  more: boolean
}
export interface DeliveryReportInFull {
  artifact_id: string
  source_id: string
  channel: 'push' | 'webhook'
  format: 'json' | 'json_lines' | 'csv' | 'sie'
  key: string
  connection: DeliveryConnection | null
  sandbox: boolean
  received_at: string
  shape_version: number
  delivers: 'events' | 'statements'
  content_bytes: number
  state: 'queued' | 'parsed' | 'unreadable'
  reason: string | null
  rows_accepted: number | null
  rows_refused: number | null
  rows_date_alone: number | null
  missing_values: MissingValue[] | null
  rows_far_ahead: number | null
  sha256: string
  dropped_keys: string[]
  parsed_at: string | null
  refusals: Refusal[]
  far_ahead: FarAheadRow[]
  older_artifact_id: string | null
  newer_artifact_id: string | null
}
export interface Refusal {
  row: number
  line?: number
  field?: string
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
  reason: string
}
export interface FarAheadRow {
  row: number
  line?: number
  day?: string
}
export interface RowDifference {
  rows: RowChange[]
  artifact_id: string
  with: string
  state: 'parsed' | 'queued' | 'unreadable'
  reason: string | null
  fields: ShownField[]
  key: string[]
  key_unique: boolean
  value_before: string | null
  value_after: string | null
  difference: string | null
  rows_same: number
  gone: {
    rows: number
    difference: string | null
  }
  added: {
    rows: number
    difference: string | null
  }
  changed: {
    rows: number
    difference: string | null
  }
  next_cursor: string | null
}
export interface RowChange {
  kind: 'gone' | 'added' | 'changed'
  before: ComparedRow | null
  after: ComparedRow | null
  fields: string[] | null
  difference: string | null
}
export interface ComparedRow {
  row: number
  line: number | null
  values: (ShownValue | null)[] | null
  cells: number | null
  gave: string | null
}
export interface ShownValue {
  text?: string
  characters?: number
  masked?: true
  broken?: true
}
export interface ShownField {
  name: string
  type: 'number' | 'text' | 'timestamp' | 'bool'
  personal: boolean
}
export interface DeliveryRefusals {
  fields: ShownField[]
  groups: RefusalGroup[]
}
export interface RefusalGroup {
  field: string | null
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
  reason: string
  rows: number
  examples: ShownRow[]
}
export interface ShownRow {
  row: number
  line: number | null
  values: (ShownValue | null)[] | null
  cells: number | null
  refusal: RowRefusal | null
}
export interface RowRefusal {
  field: string | null
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
  reason: string
}
export interface DeliveryRows {
  rows: ShownRow[]
  fields: ShownField[]
  refusals_known_to: number | null
  broken: BrokenRow | null
  next_cursor: string | null
}
export interface BrokenRow {
  row: number
  reason: string
}
export interface ChangedSamples {
  samples: ChangedSample[]
  count: number
  next_cursor: string | null
}
export interface ChangedSample {
  metric: string
  period: 'day' | 'week' | 'month'
  period_start: string
  labels: {
    [k: string]: string
  }
  before: string | null
  gave: string | null
  rows: number
  added: number | null
  after: string | null
  superseded: boolean
}
export interface ValueRows {
  rows: ValueRow[]
  artifact_id: string
  metric: string
  grain: 'day' | 'week' | 'month'
  period_start: string
  labels: {
    [k: string]: string[]
  }
  except: {
    [k: string]: string[]
  }
  state: 'parsed' | 'queued' | 'unreadable'
  reason: string | null
  fields: ShownField[]
  value: string | null
  rows_counted: number
  rows_not_counted: number
  next_cursor: string | null
}
export interface ValueRow {
  row: number
  line: number | null
  values: (ShownValue | null)[] | null
  cells: number | null
  gave: string | null
}
export interface InvitationList {
  invitations: Invitation[]
  next_cursor: string | null
}
export interface Invitation {
  invitation_id: string
  role: 'owner' | 'developer' | 'reader'
  label: string | null
  created_by: {
    member_id: string
    name: string | null
  }
  created_at: string
  expires_at: string
}
export interface NewInvitation {
  role: 'owner' | 'developer' | 'reader'
  label?: string
}
export interface CreatedInvitation {
  invitation: Invitation
  link: string
}
export interface LabelNamesList {
  labels: LabelNames[]
}
export interface LabelNames {
  label: string
  revision: number
  names: {
    value: string
    name: string
  }[]
  saved_by: {
    member_id: string
    name: string | null
  } | null
  saved_at: string | null
}
export interface LabelNamesSave {
  label: string
  expected_revision: number
  /**
   * @maxItems 500
   */
  names: {
    value: string
    name: string
  }[]
}
export interface LastDeliveries {
  deliveries: DeliveryReport[]
  next_cursor: string | null
}
export interface ReadOnlyLinkList {
  links: ReadOnlyLink[]
}
export interface ReadOnlyLink {
  link_id: string
  kind: 'feed' | 'sheet'
  name: string
  report: SpreadsheetReport | null
  created_by: {
    member_id: string
    name: string | null
  }
  created_at: string
  expires_at: string
  used_on: string | null
}
export interface SpreadsheetReport {
  source_id: string
  metric: string
  grain?: 'day' | 'week' | 'month'
  range?:
    | '30d'
    | '90d'
    | '12m'
    | '24m'
    | 'month'
    | 'last-month'
    | 'quarter'
    | 'last-quarter'
    | 'year'
    | 'last-year'
    | 'fiscal'
    | 'last-fiscal'
  from?: string
  to?: string
  by?: string
  where?: {
    /**
     * @maxItems 100
     */
    [k: string]: string[]
  }
  compare?: 'year'
}
export interface NewReadOnlyLink {
  kind: 'feed' | 'sheet'
  name: string
  days: number
  language: 'en' | 'sv'
  report: SpreadsheetReport | null
}
export interface CreatedReadOnlyLink {
  link: ReadOnlyLink
  address: string
}
export interface MemberList {
  members: Member[]
  next_cursor: string | null
}
export interface Member {
  member_id: string
  name: string | null
  label: string | null
  role: 'owner' | 'developer' | 'reader'
  added_by: string | null
  added_at: string
  last_sign_in_at: string | null
  signed_connections: number
}
export interface NewMember {
  personal_number: string
  role: 'owner' | 'developer' | 'reader'
  label?: string
}
export interface RoleChange {
  role: 'owner' | 'developer' | 'reader'
}
export interface OwnMembership {
  role: 'owner' | 'developer' | 'reader'
  added_at: string
  signed_connections: number
  last_owner: boolean
}
export interface DismissedNotices {
  through: string
}
export interface RefusedCalls {
  refused_calls: RefusedCall[]
  count: number | null
  next_cursor: string | null
}
export interface RefusedCall {
  call_id: string
  channel: 'push' | 'webhook' | 'read'
  source_id: string | null
  connection: RefusedConnection | null
  signed: boolean
  method: string
  path: string
  status: number
  code: string
  field: string | null
  calls: number
  called_at: string
}
export interface RefusedConnection {
  connection_id: string
  name: string
}
export interface ReportList {
  reports: ReportCard[]
  today: string
  time_zone: string
  next_cursor: string | null
}
export interface ReportCard {
  source_id: string
  source_name: string
  metric: string
  name: string
  unit: string
  aggregation: 'sum' | 'count' | 'count_distinct' | 'min' | 'max' | 'last'
  combines: ('sum' | 'min' | 'max') | null
  period: 'day' | 'week' | 'month'
  grain: 'day' | 'week' | 'month'
  source_state: 'active' | 'paused'
  paused_at: string | null
  paused_by: {
    member_id: string
    name: string | null
  } | null
  total: boolean
  latest: {
    period_start: string
    value: string | null
    restated: ('grew' | 'corrected') | null
  } | null
  previous: PeriodValue | null
  year_before: PeriodValue | null
  unfinished: {
    period_start: string
    value: string | null
    year_before: {
      period_start: string
      value: string | null
      to: string
    } | null
  }
  sparkline: {
    period_start: string
    value: string | null
    finished: boolean
  }[]
  complete: boolean
  changed_since_look: boolean
  restated_periods: {
    period_start: string
    restated_at: string
  }[]
  freshness: {
    last_received_at: string | null
    usual_seconds: number | null
    late: boolean
  }
}
export interface PeriodValue {
  period_start: string
  value: string | null
}
export interface SourceList {
  sources: ListedSource[]
  next_cursor: string | null
}
export interface ListedSource {
  source_id: string
  name: string
  system_kind: string
  channel: 'push' | 'webhook'
  format: ('json' | 'json_lines' | 'csv' | 'sie') | null
  shape_version: number
  revision: number
  delivers: 'events' | 'statements'
  state: 'active' | 'paused'
  paused_at: string | null
  paused_by: {
    member_id: string
    name: string | null
  } | null
  pause_reason: string | null
  created_at: string
  signing_secret_created_at: string | null
  previous_signing_secret_ends_at: string | null
  activity: SourceActivity | null
}
export interface SourceActivity {
  last_delivery: LastDelivery | null
  freshness: Freshness
  rebuild: RebuildProgress | null
}
export interface LastDelivery {
  artifact_id: string
  idempotency_key: string
  received_at: string
  sandbox: boolean
  state: 'queued' | 'parsed' | 'unreadable'
  rows_accepted: number | null
  rows_refused: number | null
  rows_date_alone: number | null
}
export interface Freshness {
  last_received_at: string | null
  usual_seconds: number | null
  late: boolean
}
export interface RebuildProgress {
  state: 'waiting' | 'counting' | 'parsing'
  done: number | null
  total: number
  seconds_left: number | null
}
export interface NewSource {
  name: string
  system_kind: string
  channel?: 'push' | 'webhook'
  format?: ('json' | 'json_lines' | 'csv' | 'sie') | null
  /**
   * @minItems 1
   * @maxItems 200
   */
  fields: Field[]
  event_time: string
  /**
   * @maxItems 100
   */
  metrics: Metric[]
  delivers: 'events' | 'statements'
}
export interface Field {
  name: string
  type: 'number' | 'text' | 'timestamp' | 'bool'
  personal: boolean
}
export interface Metric {
  metric: string
  aggregation: 'sum' | 'count' | 'count_distinct' | 'min' | 'max' | 'last'
  field?: string
  times?: string
  /**
   * @maxItems 20
   */
  filters: (
    | {
        field: string
        comparison: '=' | '≠' | '<' | '≤' | '>' | '≥'
        value: string
      }
    | {
        field: string
        comparison: 'in'
        /**
         * @minItems 1
         * @maxItems 1000
         */
        values: string[]
      }
  )[]
  /**
   * @maxItems 20
   */
  group_by: string[]
  period: 'day' | 'week' | 'month'
}
export interface CreatedSource {
  source_id: string
  name: string
  system_kind: string
  channel: 'push' | 'webhook'
  format: ('json' | 'json_lines' | 'csv' | 'sie') | null
  shape_version: number
  revision: number
  delivers: 'events' | 'statements'
  state: 'active' | 'paused'
  paused_at: string | null
  paused_by: {
    member_id: string
    name: string | null
  } | null
  pause_reason: string | null
  created_at: string
  signing_secret_created_at: string | null
  previous_signing_secret_ends_at: string | null
  signing_secret?: string
}
export interface SourceWithVersions {
  source: Source
  activity: SourceActivity
  stored: StoredDeliveries
  signing_secrets: SigningSecretState[]
  versions: ShapeVersion[]
  next_cursor: string | null
}
export interface Source {
  source_id: string
  name: string
  system_kind: string
  channel: 'push' | 'webhook'
  format: ('json' | 'json_lines' | 'csv' | 'sie') | null
  shape_version: number
  revision: number
  delivers: 'events' | 'statements'
  state: 'active' | 'paused'
  paused_at: string | null
  paused_by: {
    member_id: string
    name: string | null
  } | null
  pause_reason: string | null
  created_at: string
  signing_secret_created_at: string | null
  previous_signing_secret_ends_at: string | null
}
export interface StoredDeliveries {
  deliveries: number
  content_bytes: number
  more: boolean
}
export interface SigningSecretState {
  created_at: string
  ends_at: string | null
}
export interface ShapeVersion {
  shape_version: number
  /**
   * @minItems 1
   * @maxItems 200
   */
  fields: Field[]
  event_time: string
  /**
   * @maxItems 100
   */
  metrics: Metric[]
  delivers: 'events' | 'statements'
  saved_by: {
    member_id: string
    name: string | null
  } | null
  saved_at: string
}
export interface SourceSave {
  expected_revision: number
  name: string
  system_kind: string
  channel: 'push' | 'webhook'
  format: ('json' | 'json_lines' | 'csv' | 'sie') | null
  /**
   * @minItems 1
   * @maxItems 200
   */
  fields: Field[]
  event_time: string
  /**
   * @maxItems 100
   */
  metrics: Metric[]
  delivers: 'events' | 'statements'
}
export interface SavedSource {
  source: CreatedSource
  rebuilds: boolean
}
export interface SourceDays {
  from: string
  days: SourceDay[]
}
export interface SourceDay {
  day: string
  deliveries: number
  rows_accepted: number
  rows_refused: number
  unreadable: number
}
export interface SourcePause {
  reason?: string | null
}
export interface PreviewInput {
  declaration: DeclarationInput
  example?: ExampleInput | null
  artifact_id?: string | null
}
export interface DeclarationInput {
  /**
   * @minItems 1
   * @maxItems 200
   */
  fields: Field[]
  event_time: string
  /**
   * @maxItems 100
   */
  metrics: Metric[]
  delivers: 'events' | 'statements'
}
export interface ExampleInput {
  format?: ('json' | 'json_lines' | 'csv' | 'sie') | null
  text?: string
  content_base64?: string
}
export interface Preview {
  of: 'example' | 'deliveries' | 'delivery'
  sandbox: boolean
  deliveries: PreviewedDelivery[]
  complete: boolean
  rows_read: number
  rows_accepted: number
  rows_refused: number
  metrics: PreviewedMetric[]
  samples: PreviewedSample[]
  samples_truncated: boolean
  compared: PreviewComparison | null
  saving: SavingEffect | null
}
export interface PreviewedDelivery {
  artifact_id: string | null
  idempotency_key: string | null
  received_at: string | null
  state: 'parsed' | 'unreadable'
  reason: string | null
  dropped_keys: string[]
  rows_accepted: number
  rows_refused: number
  rows_date_alone: number
  missing_values: MissingValue[] | null
  rows_far_ahead: number | null
  far_ahead: FarAheadRow[]
  refusals: PreviewRefusal[]
}
export interface PreviewRefusal {
  row: number
  line?: number
  field?: string
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
  reason: string
  value: string | null
  suggestion: string | null
}
export interface PreviewedMetric {
  metric: string
  aggregation: 'sum' | 'count' | 'count_distinct' | 'min' | 'max' | 'last'
  rows_left_out: number
}
export interface PreviewedSample {
  metric: string
  period_start: string
  value: string
  labels: {
    [k: string]: string
  }
  rows: number
  restated: boolean
}
export interface PreviewComparison {
  rows_refused: number
  rows_newly_accepted: number
  rows_newly_refused: number
}
export interface SavingEffect {
  creates_version: number | null
  rebuilds: boolean
  stored: StoredDeliveries
}
export interface MetricReport {
  source_id: string
  source_name: string
  metric: string
  name: string
  unit: string
  aggregation: 'sum' | 'count' | 'count_distinct' | 'min' | 'max' | 'last'
  combines: ('sum' | 'min' | 'max') | null
  period: 'day' | 'week' | 'month'
  grain: 'day' | 'week' | 'month'
  grains: ('day' | 'week' | 'month')[]
  today: string
  time_zone: string
  window: {
    from: string
    to: string
    max_days: number
    narrowed: boolean
  }
  as_of: string | null
  by: string | null
  where: {
    [k: string]: string[]
  }
  labels: {
    name: string
    values: string[]
    more: boolean
  }[]
  choose: string[]
  periods: {
    start: string
    end: string
    finished: boolean
    known: boolean
    known_to: string | null
    restated: ('grew' | 'corrected') | null
    restated_at: string | null
    was: string | null
  }[]
  /**
   * @maxItems 8
   */
  series: {
    key: string | null
    values: (string | null)[]
    row_total: string | null
    year_before: {
      values: (string | null)[]
      row_total: string | null
      compared_total: string | null
    } | null
  }[]
  other: {
    values: (string | null)[]
    row_total: string | null
    year_before: {
      values: (string | null)[]
      row_total: string | null
      compared_total: string | null
    } | null
    label_values: number
  } | null
  left_out: number
  totals: (string | null)[] | null
  row_total: string | null
  year_before: {
    starts: (string | null)[]
    ends: (string | null)[]
    compared: number | null
    totals: (string | null)[] | null
    row_total: string | null
    compared_total: string | null
  } | null
  vintage_today: {
    totals: (string | null)[] | null
    row_total: string | null
  } | null
  complete: boolean
}
export interface Annotations {
  notes: Note[]
  targets: Targets
}
export interface Note {
  note_id: string
  grain: 'day' | 'week' | 'month'
  period_start: string
  labels: {
    [k: string]: string
  }
  text: string
  revision: number
  author: {
    member_id: string
    name: string | null
  } | null
  created_at: string
  edited_by: {
    member_id: string
    name: string | null
  } | null
  edited_at: string | null
}
export interface Targets {
  revision: number
  months: {
    month: string
    value: string
  }[]
  saved_by: {
    member_id: string
    name: string | null
  } | null
  saved_at: string | null
}
export interface Evidence {
  format: 'numera.evidence/1'
  code: string
  details_code: string
  content: EvidenceContent
  details: EvidenceDetails
}
export interface EvidenceContent {
  company: {
    company_id: string
    orgnr: string
    time_zone: string
  }
  source_id: string
  declaration: {
    delivers: 'events' | 'statements'
    event_time: string
    metric: Metric
  }
  period: {
    grain: 'day' | 'week' | 'month'
    start: string
    end: string
  }
  labels: {
    [k: string]: string[]
  }
  except: {
    [k: string]: string[]
  }
  as_of: string
  value: string | null
  unit: string
  combines: ('sum' | 'min' | 'max') | null
  complete: boolean
  unparsed: number
  deliveries: ProvenDelivery[]
}
export interface ProvenDelivery {
  artifact_id: string
  received_at: string
  channel: 'push' | 'webhook'
  format: 'json' | 'json_lines' | 'csv' | 'sie'
  sha256: string
  connection_id: string | null
  signature: {
    signature_id: string
    signed_at: string
    signed_with: string
    record_sha256: string
  } | null
  covers: {
    from: string
    to: string
  }
  rows: number
  value: string | null
  counts: string | null
  step: string | null
  running: string | null
  added: number | null
  event_at: string | null
  superseded: boolean
  superseded_by: string[]
}
export interface EvidenceDetails {
  company_name: string
  source_name: string
  metric_name: string
  shape_version: number
  saved_at: string
  rebuilding: boolean
  link: string
  deliveries_visible: boolean
  deliveries: DetailedDelivery[]
}
export interface DetailedDelivery {
  artifact_id: string
  connection_name: string | null
  signed_by: string | null
  rows: ProvenRows | null
}
export interface ProvenRows {
  fields: ShownField[]
  listed: ProvenRow[]
  sha256: string
  more: boolean
  adds: boolean
}
export interface ProvenRow {
  row: number
  line: number | null
  values: (ShownValue | null)[] | null
  cells: number | null
  gave: string | null
}
export interface ReportLook {
  looked_at: string | null
  changed: {
    start: string
    was: string | null
    value: string | null
  }[]
}
export interface NewNote {
  grain: 'day' | 'week' | 'month'
  period_start: string
  labels?: {
    [k: string]: string
  }
  text: string
}
export interface NoteChange {
  expected_revision: number
  text: string
}
export interface TargetsSave {
  expected_revision: number
  /**
   * @minItems 1
   * @maxItems 240
   */
  months: {
    month: string
    value: string | null
  }[]
}
export interface RotatedSource {
  source_id: string
  name: string
  system_kind: string
  channel: 'push' | 'webhook'
  format: ('json' | 'json_lines' | 'csv' | 'sie') | null
  shape_version: number
  revision: number
  delivers: 'events' | 'statements'
  state: 'active' | 'paused'
  paused_at: string | null
  paused_by: {
    member_id: string
    name: string | null
  } | null
  pause_reason: string | null
  created_at: string
  signing_secret_created_at: string | null
  previous_signing_secret_ends_at: string | null
  signing_secret: string
}
export interface ReportTrace {
  deliveries: TracedReportDelivery[]
  source_id: string
  metric: string
  grain: 'day' | 'week' | 'month'
  period_start: string
  period_end: string
  labels: {
    [k: string]: string[]
  }
  except: {
    [k: string]: string[]
  }
  value: string | null
  as_of: string | null
  value_then: string | null
  restated: boolean
  delivery_visible: boolean
  next_cursor: string | null
}
export interface TracedReportDelivery {
  artifact_id: string
  received_at: string
  shape_version: number
  value: string | null
  rows: number
  rows_refused: number
  covers: {
    from: string
    to: string
  }
  counts_now: string | null
  counts_then: string | null
  received_then: boolean | null
  added: number | null
  event_at: string | null
  superseded: boolean
  superseded_by: string[]
  step: string | null
  replaces: string[]
  running: string | null
}
export interface ReadExample {
  format: 'json' | 'json_lines' | 'csv' | 'sie'
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'cp437'
  rows: number
  fields: ExampleField[]
  event_time: string | null
  warnings: ExampleWarning[]
}
export interface ExampleField {
  name: string
  type: 'number' | 'text' | 'timestamp' | 'bool'
  personal: boolean
  personal_guess: PersonalGuess | null
  filled: number
  examples: string[]
}
export interface PersonalGuess {
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
  by: 'name' | 'values'
}
export interface ExampleWarning {
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
  field: string | null
  row: number | null
  value: string | null
  suggestion: string | null
  rows: number | null
}
export interface SavedViewList {
  views: SavedView[]
}
export interface SavedView {
  view_id: string
  for: 'member' | 'company'
  name: string
  source_id: string | null
  metric: string | null
  search: string
  pinned: boolean
  revision: number
  changed_by: {
    member_id: string
    name: string | null
  } | null
  changed_at: string
}
export interface NewDemoCompany {
  name: string
}
export interface DemoCompany {
  company_id: string
  orgnr: string
  name: string
  time_zone: string
  role: 'owner' | 'developer' | 'reader'
}
export interface InvitationToken {
  token: string
}
export interface AcceptedInvitation {
  company_id: string
  role: 'owner' | 'developer' | 'reader'
}
export interface InvitationToAccept {
  company: {
    orgnr: string
    name: string
  }
  role: 'owner' | 'developer' | 'reader'
  created_by: {
    name: string | null
  }
  expires_at: string
  current_role: ('owner' | 'developer' | 'reader') | null
}
export interface KnownMetrics {
  metrics: KnownMetric[]
}
export interface KnownMetric {
  key: string
  name: string
  unit: string
}
export interface Session {
  member_id: string
  name: string | null
  expires_at: string
  csrf_token: string
  identity: {
    provider: string
    demo: boolean
    signs: boolean
  }
  companies: Membership[]
  notices: Notice[]
}
export interface Membership {
  company_id: string
  orgnr: string
  name: string
  time_zone: string
  fiscal_year_month: number
  role: 'owner' | 'developer' | 'reader'
  deletes_after: string | null
}
export interface Notice {
  company_id: string
  event: AuditEvent
}
export interface OwnSessionList {
  sessions: OwnSession[]
}
export interface OwnSession {
  session_id: string
  current: boolean
  browser: string | null
  system: string | null
  network: string | null
  provider: string
  signed_in_at: string
  last_active_at: string
}
export interface BeginSignIn {
  return_to?: string | null
  device?: 'this' | 'other'
}
export interface SignInProgress {
  state: 'pending' | 'failed' | 'complete'
  hint?: string
  reason?: string
  presentation?: Presentation
  visible_text?: string
  member_id?: string
}
export interface ReturnFromApp {
  return_nonce: string
}
export interface ReturnedFromApp {
  return_to: string
}
export interface SignatureList {
  signatures: Signature[]
  next_cursor: string | null
}
export interface Signature {
  signature_id: string
  member: {
    member_id: string
    name: string | null
  }
  company_id: string | null
  company_name: string | null
  subject: string
  visible_text: string
  record: string
  record_sha256: string
  provider: string
  signed_at: string
}
export interface SignatureEvidence {
  signature_id: string
  member: {
    member_id: string
    name: string | null
  }
  company_id: string | null
  company_name: string | null
  subject: string
  visible_text: string
  record: string
  record_sha256: string
  provider: string
  signed_at: string
  evidence: string
}
