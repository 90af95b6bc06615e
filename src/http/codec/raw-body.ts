/** A request as it came. */
export interface Raw {
  readonly text: string
  readonly header: (name: string) => string | undefined
}
