import { expect, test } from 'vitest'
import { isFromDocs } from './docs-origin.ts'

const origins = ['https://numera.example', 'https://docs.numera.example']

test.each([
  { 'x-numera-reference': '1' },
  { origin: 'https://numera.example' },
  { origin: 'https://docs.numera.example' },
  { referer: 'https://docs.numera.example/reference?x=1' },
  { referer: 'https://docs.numera.example' },
  { origin: 'https://shop.example', referer: 'https://numera.example/reference' },
])('%j comes from the reference', (headers) => {
  expect(isFromDocs(headers, origins)).toBe(true)
})

test.each([
  {},
  { origin: 'null' },
  { origin: 'https://numera.example.evil.example' },
  { referer: 'https://numera.example.evil.example/' },
  { referer: 'https://shop.example/?https://numera.example/' },
])('%j does not', (headers) => {
  expect(isFromDocs(headers, origins)).toBe(false)
})
