/** Something that the operator can put right, in one sentence. */
export class OperatorError extends Error {}
