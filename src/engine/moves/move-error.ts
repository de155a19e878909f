const sentences = {
  same: 'The company is in this shard already.',
  moving: 'The company moves already.',
  'no shard': 'There is no such shard.',
  unavailable: 'The shard is unavailable.',
  'not migrated': 'The two shards do not have the same tables: run "numera migrate".',
  cancelled: 'The move was cancelled.',
  undone: 'The move was undone by another process, since it took too long.',
  busy: 'The company could not be held for long enough: other transactions took too long. Try again later.',
  different: 'What was copied differs from what is stored.',
}

/** Why a company does not move. It is where it was. */
export class MoveError extends Error {
  override name = 'MoveError'
  readonly reason: keyof typeof sentences

  constructor(reason: keyof typeof sentences, details?: string, options?: ErrorOptions) {
    super(details === undefined ? sentences[reason] : `${sentences[reason]} ${details}.`, options)
    this.reason = reason
  }
}
