import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import type { ConfigError } from './config-error.ts'
import { readConfig } from './read-config.ts'

const credentials = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'hunter2' }
const read = (address: string) => readConfig({ ...credentials, NUMERA_BACKUP: address }).config.backup
const toProblems = (env: NodeJS.ProcessEnv): readonly string[] => {
  try {
    readConfig({ ...credentials, ...env })
    return []
  } catch (error) {
    return (error as ConfigError).problems
  }
}

test('Without NUMERA_BACKUP nothing is backed up, and no credentials are read', () => {
  const { config, secrets } = readConfig(credentials)
  expect([config.backup, secrets.backupCredentials, secrets.backupKey]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('Backups are kept in a folder', () => {
  const { config, secrets } = readConfig({ NUMERA_BACKUP: 'file:///srv/numera%20backup/' })
  expect(config.backup).toEqual({ kind: 'folder', folder: '/srv/numera backup' })
  expect(secrets.backupCredentials).toBeUndefined()
})

test('Backups are kept in S3, at Amazon unless the address has an endpoint', () => {
  expect(read('s3://numera-backup')).toEqual({
    kind: 's3',
    endpoint: 'https://s3.us-east-1.amazonaws.com',
    bucket: 'numera-backup',
    prefix: '',
    region: 'us-east-1',
  })
  expect(read('s3://b.1/one/two/?region=eu-north-1&endpoint=http://minio:9000/')).toEqual({
    kind: 's3',
    endpoint: 'http://minio:9000',
    bucket: 'b.1',
    prefix: 'one/two',
    region: 'eu-north-1',
  })
  expect(read('s3://bucket?endpoint=https%3A%2F%2Fstore.example.com%2Fs3')).toMatchObject({
    endpoint: 'https://store.example.com/s3',
  })
})

test('S3 needs credentials, which are not printed in any way', () => {
  const env = { NUMERA_BACKUP: 's3://bucket', AWS_SESSION_TOKEN: 'hunter3' }
  const { config, secrets } = readConfig({ ...credentials, ...env })
  expect(secrets.backupCredentials?.reveal()).toEqual({
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'hunter2',
    sessionToken: 'hunter3',
  })
  const printed = inspect([config, secrets], { depth: 9 }) + JSON.stringify([config, secrets])
  expect(printed).not.toMatch(/hunter|AKID/)
  for (const name of Object.keys(credentials)) {
    expect(toProblems({ ...env, [name]: '' })).toEqual([
      `${name} must be set where NUMERA_BACKUP begins with s3:`,
    ])
  }
})

test.each([
  'backup',
  '/srv/backup',
  'https://bucket.s3.amazonaws.com',
  'file:backup',
  'file://server/backup',
  'file:///',
  'file:///srv/%2F',
  'file:///srv/%zz',
  's3://',
  's3://Bucket_1/a',
  's3://bucket/a b',
  's3://bucket/a//b',
  `s3://bucket/${'a'.repeat(257)}`,
  's3://bucket?region=north pole',
  's3://bucket?endpoint=minio:9000',
  's3://bucket?endpoint=ftp://minio',
  's3://bucket?endpoint=https://AKIDEXAMPLE:hunter2@minio',
  's3://AKIDEXAMPLE:hunter2@bucket',
  's3://bucket?secret=hunter2',
])('%s is no place for backups', (address) => {
  const problems = toProblems({ NUMERA_BACKUP: address })
  expect(problems).toEqual([expect.stringMatching(/^NUMERA_BACKUP must /)])
  expect(problems.join()).not.toMatch(/hunter|AKID/)
})

test('Backups may have a key of their own, which follows the rules of the master key', () => {
  const [one, other] = ['ab'.repeat(32), 'cd'.repeat(32)]
  const { secrets } = readConfig({ NUMERA_BACKUP_KEY: one, NUMERA_BACKUP_KEY_PREVIOUS: other })
  expect(secrets.backupKey?.reveal()).toEqual(Buffer.alloc(32, 0xab))
  expect(secrets.previousBackupKey?.reveal()).toEqual(Buffer.alloc(32, 0xcd))
  expect(toProblems({ NUMERA_BACKUP_KEY: 'hunter2' })).toEqual([
    expect.stringMatching(/^NUMERA_BACKUP_KEY must be 32 bytes/),
  ])
  expect(toProblems({ NUMERA_BACKUP_KEY_PREVIOUS: one })).toEqual([
    'NUMERA_BACKUP_KEY_PREVIOUS must be set together with NUMERA_BACKUP_KEY, the new one',
  ])
  expect(toProblems({ NUMERA_BACKUP_KEY: one, NUMERA_BACKUP_KEY_PREVIOUS: one })).toEqual([
    'NUMERA_BACKUP_KEY_PREVIOUS must be another key than NUMERA_BACKUP_KEY',
  ])
})
