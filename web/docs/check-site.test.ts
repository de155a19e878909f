import { expect, test } from 'vitest'
import { checkSite } from './check-site.ts'

const check = (html: string): string[] =>
  checkSite(
    new Map([
      ['/docs/a', html],
      ['/docs/b', '<h2 id="part">Part</h2>'],
    ]),
    new Set(['/docs/assets/x.js']),
  )

test.each([
  '<a href="/docs/b">b</a>',
  '<a href="/docs/b#part">b</a>',
  '<h2 id="own">Own</h2><a href="#own">own</a>',
  '<h2 id="så-här">Own</h2><a href="#s%C3%A5-h%C3%A4r">own</a>',
  '<script src="/docs/assets/x.js"></script>',
  '<a href="/docs/api">reference</a>',
  '<a href="https://www.rfc-editor.org/rfc/rfc2104">RFC 2104</a>',
])('%s is accepted', (html) => {
  expect(check(html)).toEqual([])
})

test.each([
  ['<a href="/docs/c">c</a>', 'leads to /docs/c, which is not there'],
  ['<a href="/docs/b#other">b</a>', 'no such heading'],
  ['<a href="#other">own</a>', 'no such heading'],
  ['<a href="push.md">push</a>', 'which is not there'],
  ['<p style="color: red">red</p>', 'a style in the page'],
  ['<script>alert(1)</script>', 'a script in the page'],
  ['<p onclick="alert(1)">press</p>', 'a script in the page'],
  ['<img src="https://elsewhere.example/x.png">', 'from another host'],
  ['<link rel="stylesheet" href="//elsewhere.example/x.css">', 'from another host'],
])('%s is reported', (html, problem) => {
  expect(check(html).join()).toContain(problem)
})
