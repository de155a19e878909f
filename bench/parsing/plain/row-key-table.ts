/** The plain counterpart of `src/engine/tables/row-key-table.ts`: a map of texts. */
export class RowKeyTable {
  readonly key: Int32Array
  readonly #ids = new Map<string, number>()
  readonly #keys: Int32Array[] = []

  constructor(width: number, _seed: number) {
    this.key = new Int32Array(width)
  }

  get size(): number {
    return this.#keys.length
  }

  id(): number {
    const name = this.key.join()
    let id = this.#ids.get(name)
    if (id === undefined) {
      id = this.#keys.push(this.key.slice()) - 1
      this.#ids.set(name, id)
    }
    return id
  }

  has(): boolean {
    return this.#ids.has(this.key.join())
  }

  at(id: number, place: number): number {
    return this.#keys[id]![place]!
  }

  seal(): void {}

  release(): void {}
}
