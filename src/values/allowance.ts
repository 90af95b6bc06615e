/** So many requests in so long. */
export interface Allowance {
  /** At least 1. */
  readonly limit: number
  readonly windowMs: number
}
