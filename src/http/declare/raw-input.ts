/** What a signature covers: the body and header fields as the client sent them. */
export interface RawInput {
  /** The text of the body; empty without one. */
  readonly text: string
  /** Returns a header field by lower-case name; undefined if it is absent or repeated. */
  readonly header: (name: string) => string | undefined
}
