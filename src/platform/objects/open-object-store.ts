import type { BackupPlace, SecretSettings } from '../config/config.ts'
import { FolderStore } from './folder-store.ts'
import type { ObjectStore } from './object-store.ts'
import { S3Store } from './s3/s3-store.ts'

/**
 * The place that the operator configured. Nothing is called or created before its first use.
 *
 * @param credentials of S3; a folder needs none
 * @throws TypeError where S3 has none
 */
export function openObjectStore(
  settings: BackupPlace,
  credentials?: SecretSettings['backupCredentials'],
): ObjectStore & AsyncDisposable {
  if (settings.kind === 'folder') return new FolderStore(settings.folder)
  if (credentials === undefined) throw new TypeError('S3 needs the secret backupCredentials')
  return new S3Store(settings, credentials)
}
