import { isDeepStrictEqual } from 'node:util'

/**
 * True if every field of `change` has the value of the row. Storing such a change would only move
 * its revision and its time.
 */
export const isUnchanged = <Row extends object>(row: Row, change: Partial<Row>): boolean =>
  Object.entries(change).every(([name, value]) => isDeepStrictEqual(value, row[name as keyof Row]))
