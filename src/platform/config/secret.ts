import { inspect } from 'node:util'

const shown = '[secret]'

/** A value that is not shown when it is logged, joined or serialized. `reveal` is easy to search for. */
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
