import type { RowCursor } from '../../formats/documents/row-cursor.ts'
import type { FieldType } from '../fields/field-value.ts'
import type { Plan } from '../parsing/plan/compile-plan.ts'
import type { AggregateOptions, AggregateResult } from './aggregate-result.ts'
import type { DeclaredNames } from './declared-names.ts'
import type { KeptContent } from './drop-undeclared.ts'

/** Everything that is particular to one format of documents. Pure, in linear time. */
export interface FormatDefinition {
  /** What it is called in the documents (English) and on the pages. */
  readonly names: Readonly<Record<'en' | 'sv', string>>
  /** What a file with a document is called on the pages. */
  readonly fileName: string
  /** A document with a few rows, for the API documents. */
  readonly example: string
  /** Whether a document whose first byte other than white space is at `at` is of this format [push.document]. */
  isBegunBy(body: Uint8Array, at: number): boolean
  /** The media type of webhooks in this format; null if they cannot be [hook.csv]. */
  readonly webhookMediaType: string | null
  /** What documents that are not UTF-8 are written in; null if they are refused. */
  readonly encoding: string | null
  /** The types of the fields that its rows have; null if they have any. */
  readonly fieldTypes: ReadonlyMap<string, FieldType> | null
  /**
   * Checks a received document, whose text begins at `start`, and drops what is not declared.
   *
   * @throws FormatError with what a sender can do about it
   */
  keepDeclared(body: Uint8Array, start: number, declared: DeclaredNames): KeptContent
  /** Aggregates stored content. @throws FormatError if it is broken */
  aggregate(plan: Plan, content: Uint8Array, options: AggregateOptions): AggregateResult
  /** Opens the rows of stored content to be shown. @throws FormatError if it is broken at the beginning */
  openRows(content: Uint8Array, isDeclared: (name: string) => boolean): RowCursor
}
