import type { Command } from 'commander'

const examples = new WeakMap<Command, string>()

/**
 * Gives a command an example, which its help shows, and each error about it.
 *
 * @param words what stands behind `numera`
 */
export function withExample(command: Command, words: string): Command {
  const example = `Example: numera ${words}`
  examples.set(command, example)
  return command.addHelpText('after', `\n${example}`).showHelpAfterError(example)
}

/** How a command is called that was called wrongly. */
export function getExample(command: Command): string | undefined {
  return examples.get(command)
}
