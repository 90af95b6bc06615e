/** JSON of the API. */
export type Json = null | boolean | number | string | readonly Json[] | Body
/** A JSON object of the API. */
export interface Body {
  readonly [field: string]: Json | undefined
}
