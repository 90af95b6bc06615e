const withComma = /^-?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+$/
const withPoint = /^-?(?:\d+|\d{1,3}(?:,\d{3})+)\.\d+$/
/** One group of three digits, which either sign may precede. */
const ambiguous = /^-?\d{1,3}[.,]\d{3}$/

/** What stands before the decimals of the numbers of a column: known once all of them agree on it. */
export class DecimalSign {
  #commas = 0
  #points = 0

  add(cell: string): void {
    if (ambiguous.test(cell)) return
    if (withComma.test(cell)) this.#commas += 1
    else if (withPoint.test(cell)) this.#points += 1
  }

  /** True where it is a comma. */
  get isComma(): boolean {
    return this.#commas > 0 && this.#points === 0
  }
}

const grouped = /^-?\d{1,3}(?:\.\d{3})+$/

/** Returns a number with a decimal comma as JSON writes it; another text stays as it is. */
export const fromDecimalComma = (text: string): string =>
  withComma.test(text) || grouped.test(text) ? text.replaceAll('.', '').replace(',', '.') : text
