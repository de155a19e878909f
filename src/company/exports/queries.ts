import { escapeLiteral } from 'pg'

/** SQL of a `copy` whose lines are the exported rows. JSON has no control characters, so nothing in a line is quoted. */
function copyLines(type: string, object: string, from: string): string {
  return `copy (
     select json_build_object('type', ${escapeLiteral(type)}, ${object})
     ${from}
   ) to stdout (format csv, delimiter e'\\x02', quote e'\\x01')`
}

/** What a company can see of itself, part by part, but for deliveries and samples. Never a secret, a hash of one, or evidence. */
export function copyRecords(companyId: string): string[] {
  const id = escapeLiteral(companyId)
  return [
    copyLines(
      'company',
      `'company_id', company_id, 'orgnr', orgnr, 'name', name, 'time_zone', time_zone,
       'fiscal_year_month', fiscal_year_month, 'created_at', created_at`,
      `from companies where company_id = ${id}`,
    ),
    copyLines(
      'member',
      `'member_id', member_id, 'name', case when memberships.opened then members.name end, 'label', label, 'role', role,
       'added_by', added_by, 'added_at', added_at`,
      `from memberships join members using (member_id) where memberships.company_id = ${id}`,
    ),
    copyLines(
      'source',
      `'source_id', source_id, 'name', name, 'system_kind', system_kind, 'channel', channel, 'format', format,
       'shape_version', shape_version, 'created_at', created_at, 'paused_at', paused_at, 'pause_reason', pause_reason`,
      `from sources where company_id = ${id}`,
    ),
    copyLines(
      'declaration',
      `'source_id', source_id, 'shape_version', shape_version, 'delivers', delivers, 'fields', fields,
       'event_time', event_time, 'metrics', metrics, 'saved_by', saved_by, 'saved_at', saved_at`,
      `from shapes where company_id = ${id}`,
    ),
    copyLines(
      'connection',
      `'connection_id', connection_id, 'name', name, 'source_id', source_id, 'kind', kind, 'permissions', permissions,
       'credential_kind', credential_kind, 'client_id', client_id, 'further_companies', array(
         select companies.orgnr from connection_companies join companies using (company_id)
         where connection_companies.connection_id = connections.connection_id
       ), 'created_by', created_by, 'created_at', created_at, 'signature_id', signature_id, 'signed_at', signed_at,
       'expires_at', expires_at, 'revoked_at', revoked_at`,
      `from connections where company_id = ${id}`,
    ),
    copyLines(
      'link',
      `'link_id', link_id, 'kind', kind, 'name', name, 'report', report, 'language', language, 'created_by', created_by,
       'created_at', created_at, 'expires_at', expires_at`,
      `from links where company_id = ${id}`,
    ),
    copyLines(
      'attention_mark',
      `'item', item, 'version', version, 'member_id', member_id, 'marked_at', marked_at`,
      `from attention_marks where company_id = ${id}`,
    ),
    copyLines(
      'signature',
      `'signature_id', signature_id, 'member_id', member_id, 'subject', subject, 'visible_text', visible_text,
       'record', record, 'record_sha256', encode(record_sha256, 'hex'), 'provider', provider, 'signed_at', signed_at`,
      `from signatures where company_id = ${id}`,
    ),
    ...copyWritten(id),
  ]
}

/** What members write of the company’s numbers, and what they did. */
function copyWritten(id: string): string[] {
  return [
    copyLines(
      'note',
      `'note_id', note_id, 'source_id', source_id, 'metric', metric, 'grain', grain, 'period_start', period_start,
       'labels', labels, 'text', text, 'author', author, 'created_at', created_at, 'edited_by', edited_by,
       'edited_at', edited_at`,
      `from notes where company_id = ${id}`,
    ),
    copyLines(
      'targets',
      `'source_id', source_id, 'metric', metric, 'months', months, 'saved_by', saved_by, 'saved_at', saved_at`,
      `from targets where company_id = ${id}`,
    ),
    copyLines(
      'label_names',
      `'label', label, 'names', names, 'saved_by', saved_by, 'saved_at', saved_at`,
      `from label_names where company_id = ${id}`,
    ),
    copyLines(
      'saved_view',
      `'view_id', view_id, 'member_id', member_id, 'name', name, 'source_id', source_id, 'metric', metric, 'search', search,
       'pinned', pinned, 'changed_by', changed_by, 'changed_at', changed_at`,
      `from saved_views where company_id = ${id}`,
    ),
    copyLines(
      'audit_event',
      `'event_id', event_id, 'member_id', member_id, 'action', action, 'subject_kind', subject_kind,
       'subject_id', subject_id, 'subject_name', subject_name, 'details', details,
       'at', coalesce(first_occurred_at, occurred_at), 'last_at', occurred_at, 'count', occurrences`,
      `from audit_events where company_id = ${id}`,
    ),
  ]
}

/** The deliveries without their contents, and for these how many bytes are stored and how. */
export function copyDeliveries(companyId: string): string {
  return copyLines(
    'delivery',
    `'artifact_id', artifact_id, 'source_id', source_id, 'sandbox', sandbox, 'idempotency_key', idempotency_key,
     'receive_number', receive_number::text, 'received_at', received_at, 'connection_id', connection_id,
     'shape_version', shape_version, 'delivers', delivers, 'dropped_keys', dropped_keys, 'format', format,
     'received_sha256', encode(received_sha256, 'hex'), 'content_bytes', content_bytes,
     'stored_bytes', octet_length(content), 'content_encoding', content_encoding`,
    `from deliveries where company_id = ${escapeLiteral(companyId)}`,
  )
}

/** The samples that are read now. */
export function copySamples(companyId: string): string {
  return copyLines(
    'sample',
    `'source_id', samples.source_id, 'metric', samples.metric, 'period_start', samples.period_start,
     'value', trim_scale(samples.value)::text, 'labels', samples.labels::json, 'sandbox', samples.sandbox,
     'artifact_id', samples.artifact_id`,
    `from sources
     join samples on samples.company_id = sources.company_id and samples.source_id = sources.source_id
       and samples.projection_id = sources.projection_id
     where sources.company_id = ${escapeLiteral(companyId)} and samples.value is not null`,
  )
}
