/** A link in `_links`. */
export interface LinkRepresentation {
  readonly href: string
  readonly method?: string
  readonly body?: Readonly<Record<string, unknown>>
}
