import { expect, test } from 'vitest'
import { findMarkdownFault } from './simple-markdown.ts'

test.each([
  '# Heading\n## Two\r\n### Three\rText, *bold* and å\n---\n+ item\n+ item\n\n+1 one\n+20 two',
  '|*What*|How much|\n|:-|-:|\n|a|1|\n|b|2|',
  'A \\* and \\# and \\| and \\\\ and \\+ and \\-',
  'a - b, c + d, 100 # e',
])('%j is accepted', (text) => {
  expect(findMarkdownFault(text)).toBeUndefined()
})

test.each([
  ['#### Four', 'line 1: a malformed heading or list item'],
  ['#No space', 'line 1: a malformed heading or list item'],
  ['text\n# ', 'line 2: a malformed heading or list item'],
  ['+', 'line 1: a malformed heading or list item'],
  ['+100 too many', 'line 1: a malformed heading or list item'],
  ['an *open bold', 'line 1: bold text without an end, or with space at its ends'],
  ['a * star', 'line 1: bold text without an end, or with space at its ends'],
  ['* bold*', 'line 1: bold text without an end, or with space at its ends'],
  ['a \\n', 'line 1: an unnecessary backslash'],
  ['|a|b|\n|-|-|\n|1|', 'line 4: the table above is malformed'],
  ['|a|b|', 'line 2: the table above is malformed'],
  ['|a|b|c|d|e|f|\n|-|-|-|-|-|-|', 'line 3: the table above is malformed'],
  ['|a |b|\n|-|-|', 'line 3: the table above is malformed'],
  ['a \u{1f600}', 'a character that is not allowed'],
  ['a \u0007', 'a character that is not allowed'],
])('%j has a fault: %s', (text, fault) => {
  expect(findMarkdownFault(text)).toBe(fault)
})
