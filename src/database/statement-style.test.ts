import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { definedStatements } from './define-statement.ts'

/** How statements are written: CONTRIBUTING.md, "Style". */

const source = join(import.meta.dirname, '..')

/** Not written so yet. */
const notYet = new Set<string>([
  'access.consume',
  'access.delete_full_buckets',
  'access.look_up_apps',
  'access.look_up_callers',
  'access.read_callable_companies',
  'access.read_covered_companies',
  'app_connections.delete_calls_below',
  'app_connections.insert_calls',
  'app_connections.mark_app_ended',
  'app_connections.mark_ended',
  'app_connections.select',
  'app_connections.select_active_of_app',
  'app_connections.select_all',
  'app_connections.select_calls',
  'app_connections.select_is_own',
  'clock.read_database_time',
  'companies.delete_membership',
  'companies.hold_for_member',
  'companies.insert',
  'companies.insert_membership',
  'companies.lock',
  'companies.select',
  'companies.select_all',
  'companies.select_by_orgnr',
  'companies.select_for_member',
  'companies.select_is_last_owner',
  'companies.select_membership',
  'companies.select_memberships',
  'companies.select_of_member',
  'companies.update_role',
  'connections.delete_acting_company',
  'connections.delete_further_company',
  'connections.end_credentials',
  'connections.end_other_credentials',
  'connections.insert',
  'connections.insert_credential',
  'connections.insert_further_companies',
  'connections.lock',
  'connections.mark_revoked',
  'connections.mark_signed',
  'connections.select',
  'connections.select_all',
  'connections.select_demo',
  'connections.select_further',
  'connections.upsert_credential',
  'deliveries.content',
  'deliveries.field_names',
  'deliveries.find_pushes',
  'deliveries.find_webhooks',
  'deliveries.look_up_webhook',
  'deliveries.remember_alias',
  'deliveries.store',
  'deliveries.store_webhooks',
  'deliveries.store_webhooks_beside_pushes',
  'http.applied_migrations',
  'http.lock_time_proof',
  'http.update_time_proof',
  'identity.answer_demo_order',
  'identity.delete_expired_demo_orders',
  'identity.delete_expired_orders',
  'identity.delete_expired_sessions',
  'identity.delete_session',
  'identity.insert_demo_order',
  'identity.insert_order',
  'identity.insert_session',
  'identity.insert_signature',
  'identity.select_demo_order',
  'identity.select_member',
  'identity.select_member_by_mac',
  'identity.select_order',
  'identity.select_session',
  'identity.select_signatures_of_company',
  'identity.select_signatures_of_member',
  'identity.settle_order',
  'identity.take_demo_orders_under',
  'identity.take_orders_under',
  'identity.take_signatures_under',
  'identity.update_sealed_demo_orders',
  'identity.update_sealed_orders',
  'identity.update_sealed_signatures',
  'identity.upsert_member',
  'keys.insert_deployment_key',
  'keys.insert_master_key',
  'keys.lock_master_keys',
  'keys.retire_master_keys_but',
  'keys.select_deployment_keys',
  'keys.select_has_master_keys',
  'keys.select_master_keys',
  'keys.take_deployment_keys_under',
  'keys.update_deployment_keys',
  'oauth.count_registration',
  'oauth.delete_expired_app_tokens',
  'oauth.delete_expired_codes',
  'oauth.delete_expired_tokens',
  'oauth.delete_token_switch',
  'oauth.delete_unused_apps',
  'oauth.end_expired_connection',
  'oauth.insert_app',
  'oauth.insert_chosen_companies',
  'oauth.insert_code',
  'oauth.insert_connection',
  'oauth.insert_consent',
  'oauth.insert_token_switch',
  'oauth.issue_token',
  'oauth.lock_connection',
  'oauth.lock_connection_of_member',
  'oauth.read_app',
  'oauth.read_failed_code',
  'oauth.read_failed_refresh',
  'oauth.read_known_clients',
  'oauth.read_registration_hour',
  'oauth.read_token_switch',
  'oauth.read_token_to_revoke',
  'oauth.redeem_code',
  'oauth.refresh',
  'oauth.revoke_tokens',
  'oauth.select_active_connection',
  'oauth.settle_registration_hour',
  'oauth.touch_app',
  'oauth.widen_connection',
  'parsing.add-attempt',
  'parsing.add-contributions',
  'parsing.add-distinct-values',
  'parsing.add-parse-results',
  'parsing.add-period-deliveries',
  'parsing.claim-backlog',
  'parsing.claim-first',
  'parsing.clear-periods',
  'parsing.finish-round',
  'parsing.give-back',
  'parsing.mark-backlog',
  'parsing.mark-retry',
  'parsing.measure-backlog',
  'parsing.queue-for-projections',
  'parsing.read-content-part',
  'parsing.read-shapes',
  'parsing.samples-add',
  'parsing.samples-last',
  'parsing.samples-max',
  'parsing.samples-min',
  'parsing.samples-replace',
  'parsing.settle-owners',
  'parsing.take-apart',
  'parsing.take-marked',
  'projections.compare-samples',
  'projections.count-read-apart',
  'projections.delete-contributions',
  'projections.delete-distinct-values',
  'projections.delete-samples',
  'projections.enumerate-deliveries',
  'projections.insert',
  'projections.is-backlog-empty',
  'projections.lock',
  'projections.lock-source',
  'projections.read-cells',
  'projections.read-enumerated',
  'projections.read-progress',
  'projections.read-retired',
  'projections.read-sources-to-compare',
  'projections.read-unfinished',
  'projections.retire',
  'projections.retire-building',
  'projections.retire-shadow',
  'projections.set-enumerated',
  'projections.switch',
  'projections.try-maintenance',
  'result.delete-backlog',
  'result.delete-parse_results',
  'result.delete-period_deliveries',
  'result.delete-period_owners',
  'result.delete-projections',
  'samples.count-first-values',
  'samples.read-cell',
  'samples.read-contributions',
  'samples.read-deliveries',
  'samples.read-delivery',
  'samples.read-last-deliveries',
  'samples.read-projection',
  'samples.read-sources',
  'samples.render',
  'samples.render-events-as-of',
  'samples.render-statements-as-of',
  'sources.delete_ended_signing_secrets',
  'sources.delete_previous_signing_secrets',
  'sources.delete_signing_secrets',
  'sources.end_current_signing_secret',
  'sources.insert',
  'sources.insert_first_projection',
  'sources.insert_shape',
  'sources.insert_signing_secret',
  'sources.lock',
  'sources.pause',
  'sources.resume',
  'sources.select',
  'sources.select_all',
  'sources.select_current_signing_secret',
  'sources.select_shape',
  'sources.select_shapes',
  'sources.take_signing_secrets_under',
  'sources.update',
  'sources.update_sealed_signing_secrets',
  'sources.update_shape_version',
  'usage.add',
  'usage.begin_count',
  'usage.correct',
  'usage.count_connections',
  'usage.count_made_connections',
  'usage.count_members',
  'usage.count_sources',
  'usage.count_waiting',
  'usage.end_recount',
  'usage.mark_over_limit',
  'usage.select',
  'usage.select_held',
  'usage.select_limits',
  'usage.select_recounts_due',
  'usage.try_counting',
  'usage.try_recount',
  'usage.upsert_limits',
  'usage.walk_cells',
  'usage.walk_deliveries',
])

let statements: [name: string, text: string][]
let tables: string[]
beforeAll(async () => {
  for await (const file of glob('**/*queries.ts', { cwd: source })) await import(join(source, file))
  statements = [...definedStatements()].filter(([name]) => !notYet.has(name))
  const schema = await readFile(join(source, '../schema.sql'), 'utf8')
  tables = [...schema.matchAll(/^create (?:unlogged )?table (\w+)/gm)].map(([, table]) => table!)
})

/** Without comments, and with nothing left between quotation marks. */
const bare = (text: string): string =>
  text.replaceAll(/--.*$/gm, '').replaceAll(/(?:\bE)?'(?:[^']|'')*'|"[^"]*"/g, "''")

/** The statements whose text `pattern` is found in, each with the first place. */
const found = (pattern: RegExp): string[] =>
  statements.flatMap(([name, text]) => {
    const place = pattern.exec(bare(text))
    return place ? [`${name}: ${place[0].replaceAll(/\s+/g, ' ')}`] : []
  })

test('a statement is named `area.verb-noun`, in lower case with hyphens', () => {
  const wellNamed = /^[a-z]+(?:-[a-z]+)*\.[a-z0-9]+(?:-[a-z0-9]+)*$/
  expect(statements.map(([name]) => name).filter((name) => !wellNamed.test(name))).toEqual([])
})

test('a statement has named parameters', () => {
  expect(found(/\$\d+/)).toEqual([])
})

test('every parameter has a type', () => {
  expect(found(/\$\w+(?!\w|::[a-z])/)).toEqual([])
})

test('a statement is in lower case', () => {
  const withoutParameters = statements.map(([name, text]) => [name, bare(text).replaceAll(/\$\w+/g, '')])
  expect(withoutParameters.filter(([, text]) => /[A-Z]/.test(text!)).map(([name]) => name)).toEqual([])
})

test('a statement spells out the columns that it gives', () => {
  expect(found(/\b(?:select|returning)(?: distinct)?\s+\*/)).toEqual([])
  expect(found(new RegExp(`\\b(?:${tables.join('|')})\\.\\*`))).toEqual([])
})

test('a statement has no table by one letter', () => {
  expect(found(/\b[a-z]\.[a-z*]\w*/)).toEqual([])
})
