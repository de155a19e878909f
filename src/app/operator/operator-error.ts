import { ApiError } from '../../platform/http/errors/errors.ts'

/** Something that the operator can correct, in one sentence. */
export class OperatorError extends Error {
  /** Whether to print the command's example; false where the call itself was right. */
  readonly showsExample: boolean

  constructor(message: string, options: { showsExample?: boolean } = {}) {
    super(message)
    this.showsExample = options.showsExample ?? true
  }
}

/** @throws OperatorError with the message instead of 404 `not_found` */
export async function orThrow<T>(found: Promise<T>, message: string): Promise<T> {
  try {
    return await found
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') throw new OperatorError(message)
    throw error
  }
}
