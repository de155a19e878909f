import { expect, test } from 'vitest'
import { callPath } from './call-path.ts'

const artifactId = '01977c1e-6e1b-7c3a-9f54-2f0f6a0d5b11'

test('a path without ids is kept as it is', () => {
  expect(callPath('/v1/samples/trace', {})).toBe('/v1/samples/trace')
})

test('the id that was called is kept', () => {
  expect(callPath('/v1/deliveries/:artifact_id', { artifact_id: artifactId.toUpperCase() })).toBe(
    `/v1/deliveries/${artifactId}`,
  )
})

test.each(['19811218-9876', `${artifactId}x`, ''])('anything but an id is left out: %j', (value) => {
  expect(callPath('/v1/deliveries/:artifact_id', { artifact_id: value })).toBe('/v1/deliveries/:artifact_id')
})
