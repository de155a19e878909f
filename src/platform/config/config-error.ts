/** What is wrong with the environment, one line for each variable. Never shows a secret's value. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`the configuration cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.problems = problems
  }
}
