/** Something that the operator can put right, in one sentence. */
export class OperatorError extends Error {
  /** An example of the command helps; not where it was called rightly. */
  readonly showsExample: boolean

  constructor(message: string, options: { showsExample?: boolean } = {}) {
    super(message)
    this.showsExample = options.showsExample ?? true
  }
}
