/**
 * Returns the form in which telephone numbers are compared: without what groups their digits, and `+` for the
 * international prefix 00. Null for none, and for a text without digits.
 */
export function phoneKey(phone: string | null): string | null {
  const digits = phone?.normalize('NFKC').replace(/[^+\d]/g, '') ?? ''
  const key = digits.replace(/^00/, '+').replace(/(?!^)\+/g, '')
  return /\d/.test(key) ? key : null
}
