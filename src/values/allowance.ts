/** The number of requests allowed in a window of time. */
export interface Allowance {
  /** At least 1. */
  readonly limit: number
  readonly windowMs: number
}
