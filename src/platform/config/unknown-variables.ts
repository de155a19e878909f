import { nearestName } from '../../formats/values/nearest-name.ts'

/** Every variable of docs/configuration.md. */
export const variables = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'DATABASE_URL',
  'NUMERA_BACKUP',
  'NUMERA_BACKUP_KEY',
  'NUMERA_BACKUP_KEY_PREVIOUS',
  'NUMERA_BACKUP_REHEARSAL',
  'NUMERA_BANKID_CERTIFICATE_FILE',
  'NUMERA_BANKID_ISSUER_FILE',
  'NUMERA_BANKID_KEY_FILE',
  'NUMERA_BANKID_PASSPHRASE',
  'NUMERA_BANKID_ROOTS_FILE',
  'NUMERA_BANKID_URL',
  'NUMERA_BASE_URL',
  'NUMERA_BODY_MEMORY_MIB',
  'NUMERA_COMPANY_CELLS',
  'NUMERA_COMPANY_CONNECTIONS',
  'NUMERA_COMPANY_MEMBERS',
  'NUMERA_COMPANY_SOURCES',
  'NUMERA_COMPANY_STORED_BYTES',
  'NUMERA_COMPANY_WAITING_BYTES',
  'NUMERA_COMPANY_WAITING_DELIVERIES',
  'NUMERA_CONNECTIONS',
  'NUMERA_DATABASE_CONNECTIONS',
  'NUMERA_DATA_FOLDER',
  'NUMERA_DEMO_CREDENTIAL',
  'NUMERA_DEMO_RATE_BURST',
  'NUMERA_DEMO_RATE_PER_MINUTE',
  'NUMERA_DEMO_RESET_AT',
  'NUMERA_DOCS_ORIGIN',
  'NUMERA_DRAIN_SECONDS',
  'NUMERA_HTTP_HOST',
  'NUMERA_HTTP_PORT',
  'NUMERA_IDENTITY',
  'NUMERA_LOG_LEVEL',
  'NUMERA_MASTER_KEY',
  'NUMERA_MASTER_KEY_COMMAND',
  'NUMERA_MASTER_KEY_PREVIOUS',
  'NUMERA_METRICS_HOST',
  'NUMERA_METRICS_PORT',
  'NUMERA_OAUTH_LOOPBACK_REDIRECTS',
  'NUMERA_OAUTH_RATE_BURST',
  'NUMERA_OAUTH_RATE_PER_MINUTE',
  'NUMERA_OAUTH_RESOURCES',
  'NUMERA_OIDC_ACR_VALUES',
  'NUMERA_OIDC_AUTH_TIME',
  'NUMERA_OIDC_CLIENT_ID',
  'NUMERA_OIDC_CLIENT_SECRET',
  'NUMERA_OIDC_ISSUER',
  'NUMERA_OIDC_NAME_CLAIM',
  'NUMERA_OIDC_PERSONAL_NUMBER_CLAIM',
  'NUMERA_OIDC_SCOPES',
  'NUMERA_RATE_BURST',
  'NUMERA_RATE_PER_MINUTE',
  'NUMERA_RECENT_SIGN_IN_MINUTES',
  'NUMERA_SESSION_IDLE_MINUTES',
  'NUMERA_SOURCE_SHAPE_VERSIONS',
  'NUMERA_STANDBY_URLS',
  'NUMERA_TRUST_PROXY',
  'NUMERA_WORKERS',
  'NUMERA_WORKER_POLL_MS',
  'NUMERA_WRITE_RATE_BURST',
  'NUMERA_WRITE_RATE_PER_MINUTE',
]

/** Those that the service and its tests set for themselves. */
const ownVariables = [
  'NUMERA_FAULT_RESTARTS',
  'NUMERA_LOOKS',
  'NUMERA_ONLINE_RETAIL',
  'NUMERA_PICTURES',
  'NUMERA_TESTS',
]

/**
 * A sentence about each variable whose name begins as ours do and which nothing reads, most likely a typing error. No
 * reason not to start: Kubernetes sets `NUMERA_SERVICE_HOST` and others for a service of that name.
 */
export function findUnknownVariables(env: NodeJS.ProcessEnv): string[] {
  const known = new Set([...variables, ...ownVariables])
  return Object.keys(env)
    .filter((name) => name.startsWith('NUMERA_') && !known.has(name))
    .toSorted()
    .map((name) => {
      // `NUMERA_DATABASE_URL`, which has the letters of `NUMERA_BASE_URL` too.
      const bare = name.slice('NUMERA_'.length)
      const nearest = variables.includes(bare) ? bare : nearestName(name, variables)
      const remedy = nearest === undefined ? 'See docs/configuration.md.' : `Did you mean ${nearest}?`
      return `${name} is no setting of Numera and is ignored. ${remedy}`
    })
}
