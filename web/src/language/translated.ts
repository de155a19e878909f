/** Like `Texts`, with any text in place of each text: what another language has. */
export type Translated<Texts> = {
  [Key in keyof Texts]: Texts[Key] extends string ? string : Translated<Texts[Key]>
}
