/** Why a backup cannot be taken, checked or restored, in a sentence for the operator. Nothing was changed. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}
