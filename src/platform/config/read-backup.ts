import { fileURLToPath } from 'node:url'
import type { BackupPlace, SecretSettings } from './config.ts'
import type { EnvironmentReader } from './environment-reader.ts'
import { readKeys } from './read-keys.ts'
import { Secret } from './secret.ts'

const form = 'must be file:///absolute/folder, or s3://bucket/prefix?endpoint=https://…&region=…'
/** Amazon S3, General purpose bucket naming rules. */
const bucketPattern = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/
/** The parser of addresses has resolved `..` before. */
const prefixPattern = /^[\w.-]+(?:\/[\w.-]+)*$/
const prefixCharactersMax = 256
const regionPattern = /^[a-z\d-]{1,32}$/

/** @returns why it is none, where it is none */
function toFolder(url: URL): BackupPlace | string {
  if (url.host !== '' || url.search !== '' || url.hash !== '') return form
  // An encoded slash would become part of a name, and what else is malformed throws.
  if (/%(?![\da-f]{2})|%(?:00|2f)/i.test(url.pathname)) return form
  const folder = fileURLToPath(url).replace(/\/+$/, '')
  return folder === '' ? form : { kind: 'folder', folder }
}

/** Without encryption only where the address says so: its requests are still signed, and backups sealed. */
function toEndpoint(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || /[?#@]/.test(text)) return undefined
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

/** @returns why it is none, where it is none */
function toBucket(url: URL): BackupPlace | string {
  const { host: bucket, pathname, searchParams: query } = url
  const prefix = pathname.replaceAll(/^\/|\/$/g, '')
  const isForm = [...query.keys()].every((name) => name === 'endpoint' || name === 'region')
  if (!isForm || `${url.username}${url.password}${url.hash}` !== '') return form
  if (!bucketPattern.test(bucket)) return 'must have the name of a bucket after s3://'
  if (prefix !== '' && (!prefixPattern.test(prefix) || prefix.length > prefixCharactersMax)) {
    return `must have a prefix of at most ${prefixCharactersMax} letters, digits and ._-/ after the bucket`
  }
  const region = query.get('region') ?? 'us-east-1'
  if (!regionPattern.test(region)) return 'must have a region such as eu-north-1'
  const endpoint = toEndpoint(query.get('endpoint') ?? `https://s3.${region}.amazonaws.com`)
  if (endpoint === undefined) return 'must have an endpoint that begins with https:// or http://'
  return { kind: 's3', endpoint, bucket, prefix, region }
}

function readPlace(read: EnvironmentReader): BackupPlace | undefined {
  const text = read.text('NUMERA_BACKUP')
  if (text === undefined) return undefined
  const url = URL.parse(text)
  let place: BackupPlace | string = form
  if (/^file:\/\/\//i.test(text) && url) place = toFolder(url)
  if (/^s3:\/\//i.test(text) && url) place = toBucket(url)
  if (typeof place !== 'string') return place
  read.refuse('NUMERA_BACKUP', place)
  return undefined
}

function readNeeded(read: EnvironmentReader, name: string): string {
  const value = read.text(name)
  if (value === undefined) read.refuse(name, 'must be set where NUMERA_BACKUP begins with s3:')
  return value ?? ''
}

function readCredentials(read: EnvironmentReader): SecretSettings['backupCredentials'] {
  return new Secret({
    accessKeyId: readNeeded(read, 'AWS_ACCESS_KEY_ID'),
    secretAccessKey: readNeeded(read, 'AWS_SECRET_ACCESS_KEY'),
    sessionToken: read.text('AWS_SESSION_TOKEN'),
  })
}

/** Where backups are kept, if anywhere. The keys that seal them, and the credentials of the store, are kept apart. */
export function readBackup(read: EnvironmentReader): {
  backup: BackupPlace | undefined
} & Pick<SecretSettings, 'backupKey' | 'previousBackupKey' | 'backupCredentials'> {
  const backup = readPlace(read)
  const keys = readKeys(read, 'NUMERA_BACKUP_KEY', 'NUMERA_BACKUP_KEY_PREVIOUS')
  return {
    backup,
    backupKey: keys.current,
    previousBackupKey: keys.previous,
    backupCredentials: backup?.kind === 's3' ? readCredentials(read) : undefined,
  }
}
