import { inspect } from 'node:util'

const shown = '[secret]'

/** A value that is not printed, whoever logs, joins or serializes what holds it. `reveal` is easy to search for. */
export class Secret<T> {
  readonly #value: T

  constructor(value: T) {
    this.#value = value
  }

  reveal(): T {
    return this.#value
  }

  toString(): string {
    return shown
  }

  toJSON(): string {
    return shown
  }

  [inspect.custom](): string {
    return shown
  }
}
