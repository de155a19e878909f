import { FormatError } from '../documents/format-error.ts'

/**
 * What is wrong with a JSON text:
 * `syntax` it is not JSON (RFC 8259); `too_deep` more than 64 lists and objects inside each other;
 * `duplicate_key` an object has a key twice, which parsers resolve differently;
 * `key_text` a key has NUL or a lone surrogate, which no PostgreSQL text can have [all.text].
 */
export type JsonFault = 'syntax' | 'too_deep' | 'duplicate_key' | 'key_text'

const sentences: Record<JsonFault, string> = {
  syntax: 'The JSON is malformed',
  too_deep: 'The JSON is nested too deeply',
  duplicate_key: 'The JSON has an object with the same key twice',
  key_text: 'The JSON has a key with a character that cannot be kept',
}

/** Thrown by the scanner. `offset` is the byte, counted from the start of the bytes given, where it was seen. */
export class JsonError extends FormatError {
  override readonly name = 'JsonError'
  readonly offset: number

  constructor(fault: JsonFault, offset: number) {
    super(fault, `${sentences[fault]} at byte ${offset}.`)
    this.offset = offset
  }
}
