/** What the interactive reference reads beside the keywords of OpenAPI. */
export const extensions = {
  /** Marks of an operation, beside its name. */
  badges: 'x-badges',
  /** Of an example: filled in, and not sent until somebody says so. */
  disabled: 'x-disabled',
  /** What each value of an enumeration means. */
  enumDescriptions: 'x-enumDescriptions',
  /** How the code verifier of an authorization is hashed. */
  pkce: 'x-usePkce',
} as const
