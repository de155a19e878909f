import { expect, test } from 'vitest'
import { isOwnResource } from './resources.ts'

const base = 'https://numera.example.com'

test('the service’s address, /v1 and paths below it are the service', () => {
  for (const path of ['', '/', '/v1', '/v1/', '/v1/samples', '/v1/samples?orgnr=1']) {
    expect(isOwnResource(base, `${base}${path}`), path).toBe(true)
  }
})

test('an address that only begins alike is not the service', () => {
  for (const resource of [
    `${base}/v2`,
    `${base}/v10`,
    `${base}/oauth/token`,
    `${base}.evil.example`,
    `${base}:8443/v1`,
    `${base}@evil.example/v1`,
    `${base}/v1#part`,
    `http://numera.example.com/v1`,
    `https://evil.example/?${base}/v1`,
    '/v1',
    '',
  ]) {
    expect(isOwnResource(base, resource), resource).toBe(false)
  }
})
