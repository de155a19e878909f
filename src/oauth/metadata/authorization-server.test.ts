import { expect, test } from 'vitest'
import { authorizationServer } from './authorization-server.ts'

test('the discovery document lists every endpoint, the grant types, and the permissions a connection may hold', () => {
  expect(authorizationServer('https://numera.example.com')).toEqual({
    issuer: 'https://numera.example.com',
    authorization_endpoint: 'https://numera.example.com/oauth/authorize',
    token_endpoint: 'https://numera.example.com/oauth/token',
    registration_endpoint: 'https://numera.example.com/oauth/register',
    revocation_endpoint: 'https://numera.example.com/oauth/revoke',
    scopes_supported: ['company.read', 'metrics.read', 'sources.ingest'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: 'https://numera.example.com/docs/apps',
  })
})
