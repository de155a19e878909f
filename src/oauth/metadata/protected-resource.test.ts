import { expect, test } from 'vitest'
import { authorizationServer } from './authorization-server.ts'
import { protectedResource } from './protected-resource.ts'

const base = 'https://numera.example.com'

test('the resource is exactly the URL that was called', () => {
  for (const path of ['', '/', '/v1', '/v1/', '/v1/samples', '/v1/deliveries/a%20b', '/mcp']) {
    expect(protectedResource(base, path).resource).toBe(`${base}${path}`)
  }
})

test('the metadata links to the page on apps, as the authorization server’s does', () => {
  const { resource_documentation: page } = protectedResource(base, '/v1/samples')
  expect(page).toBe(`${base}/docs/apps`)
  expect(authorizationServer(base).service_documentation).toBe(page)
})

test('the metadata lists only permissions that an app may have', () => {
  expect(protectedResource(base, '').scopes_supported).toEqual(['company.read', 'metrics.read'])
})

test('a path that is not a resource of the service is not found', () => {
  for (const path of ['/mcp/', '/mcp2', '/v2', '/v10/samples', '/oauth/token', 'v1']) {
    expect(() => protectedResource(base, path)).toThrow(expect.objectContaining({ code: 'not_found' }))
  }
})
