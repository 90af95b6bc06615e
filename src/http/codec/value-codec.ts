import type { FieldIssue } from '#values/problem.ts'

/** How the API represents amounts of money. */
export interface CodecOptions {
  /** The shop's currency (ISO 4217). */
  readonly currency: string
  /** The number of decimals of the shop's currency. */
  readonly currencyDigits: number
}

/** Converts the values of one schema between their form in code and their JSON form in the API. */
export interface Codec {
  /** Returns the JSON form of a value, for `JSON.stringify`. */
  readonly encode: (value: unknown) => unknown
  /**
   * Validates and converts a JSON value. Adds a field issue for each error to `issues` and stops
   * after `maxIssues`; the returned value is of use only if there are none. `field` is the path of
   * the value, such as `items[0]`; empty for a whole body.
   */
  readonly decode: (input: unknown, field: string, issues: FieldIssue[]) => unknown
}
