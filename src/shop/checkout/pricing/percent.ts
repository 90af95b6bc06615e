import { Type } from 'typebox'
import { storedAs } from '#store/columns.ts'

/** A percentage as an integer of ten-thousandths of a percent: "19" is 190000, 100 % is 1000000. */
export type PercentUnits = number

/** 100 %. */
export const wholePercent: PercentUnits = 1_000_000

const unitDigits = 4

/**
 * Parses decimal text such as "19" or "8.875"; undefined if it is malformed, above 100 or has more
 * than four decimals.
 */
export function parsePercent(text: string): PercentUnits | undefined {
  const [, whole = '', fraction = ''] = /^(\d{1,3})(?:\.(\d{1,4}))?$/.exec(text) ?? []
  if (whole === '') return undefined
  const units = Number(whole + fraction.padEnd(unitDigits, '0'))
  return units <= wholePercent ? units : undefined
}

/** Formats a percentage as decimal text without trailing zeros: 88750 is "8.875". */
export function formatPercent(units: PercentUnits): string {
  const text = (units / 10 ** unitDigits).toFixed(unitDigits)
  return text.replace(/\.?0+$/, '')
}

/** A percentage in the API: decimal text. */
export const Percent = (description: string, example: string) =>
  Type.String({
    pattern: '^(100(\\.0{1,4})?|[0-9]{1,2}(\\.[0-9]{1,4})?)$',
    maxLength: 8,
    description,
    examples: [example],
  })

/** A percentage whose column holds ten-thousandths of a percent. */
export const PercentInUnits = (description: string, example: string) =>
  storedAs(Percent(description, example), {
    kind: 'integer',
    toColumn: (text) => parsePercent(text) ?? 0,
    fromColumn: formatPercent,
  })
