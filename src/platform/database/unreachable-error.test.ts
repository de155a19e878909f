import { expect, test } from 'vitest'
import { unreachableError } from './unreachable-error.ts'

const url = 'postgresql://bob:hunter2@db.example:6432/books?sslmode=require'
const fail = (code: string | undefined, message = 'password authentication failed for user "bob"'): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code })
const told = (error: unknown, databaseUrl = url): string =>
  (unreachableError(error, databaseUrl) as Error).message

test.each([
  ['ECONNREFUSED', 'the connection was refused'],
  ['ENOTFOUND', 'the name of the host was not found'],
  ['ETIMEDOUT', 'there was no answer in time'],
  ['28P01', 'the user or password was refused'],
  ['3D000', 'it has no database of this name'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'TLS failed: its certificate'],
])('%s is reported with the host, the variable and what to do, without user and password', (code, what) => {
  const message = told(fail(code))
  expect(message).toContain(
    `The database at db.example:6432, which DATABASE_URL names, cannot be used (${code}): ${what}`,
  )
  expect(message).not.toMatch(/bob|hunter2|books/)
})

test.each([
  ['The server does not support SSL connections', 'TLS failed: the server does not offer it'],
  ['timeout exceeded when trying to connect', 'there was no answer in time'],
  ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', 'the user or password was refused'],
])('"%s" is reported with its meaning', (message, what) => {
  expect(told(fail(undefined, message))).toContain(what)
})

test('of several addresses of a host, the failure of the first is reported', () => {
  expect(told(new AggregateError([fail('ECONNREFUSED'), fail('ECONNREFUSED')]))).toContain('refused')
})

test.each([
  'postgresql://bob:1234/hunter2@db.example/books',
  'postgresql://bob:12#hunter2@db.example/books',
  'postgresql://bob:12?hunter2@db.example/books',
  'postgresql://bob:hunter/2@db.example/books',
])('no part of a password that is not encoded is taken for the host: %s', (address) => {
  expect(told(fail('ENOTFOUND'), address)).toContain('The database, which DATABASE_URL names')
})

test('a socket is on this machine', () => {
  expect(told(fail('ENOENT'), 'postgresql:///books')).toContain('The database on this machine')
  expect(told(fail('ENOENT'), 'postgresql:///books?host=/run/pg')).toContain('The database at /run/pg')
})

test('an error of a statement stays as it is', () => {
  const error = fail('42501', 'permission denied for schema public')
  expect(unreachableError(error, url)).toBe(error)
})
