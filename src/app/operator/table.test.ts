import { expect, test } from 'vitest'
import { formatFields, formatTable } from './table.ts'

const connection = {
  connection_id: '1',
  name: 'Shop',
  source: { source_id: '2', name: 'Butik' },
  permissions: ['metrics.read', 'sources.ingest'],
  expires_at: null,
}

test('a list is a table under the names that JSON has, nested ones included', () => {
  expect(
    formatTable(['connection_id', 'source.name', 'permissions', 'expires_at'], [connection], 'none'),
  ).toBe(
    [
      'connection_id  source.name  permissions                   expires_at',
      '1              Butik        metrics.read, sources.ingest  -',
    ].join('\n'),
  )
  expect(formatTable(['name'], [], 'There is none.')).toBe('There is none.')
})

test('one answer is a line for each value', () => {
  expect(formatFields(connection)).toBe(
    [
      'connection_id: 1',
      'name: Shop',
      'source.source_id: 2',
      'source.name: Butik',
      'permissions: metrics.read, sources.ingest',
      'expires_at: -',
    ].join('\n'),
  )
})

test('control characters for terminals are not printed', () => {
  expect(formatFields({ name: 'Shop\u{1b}[2J\n\u{202e}' })).toBe('name: Shop�[2J��')
  expect(formatTable(['name'], [{ name: 'a\u{1b}]0;x\u{7}' }], '')).toBe('name\na�]0;x�')
})
