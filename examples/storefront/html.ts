/** Markup in which every value was escaped. */
export interface Markup {
  readonly markup: string
}
type Value = Markup | string | number | false | null | undefined | readonly Value[]

const escaped = (value: Value): string => {
  if (value === false || value === null || value === undefined) return ''
  if (typeof value === 'object')
    return 'markup' in value ? value.markup : value.map(escaped).join('')
  return String(value).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** Returns markup with these values, escaped unless they are markup themselves. */
export const html = (strings: TemplateStringsArray, ...values: readonly Value[]): Markup => ({
  markup: String.raw({ raw: strings }, ...values.map(escaped)),
})

/** Formats an amount in the currency of the shop. */
export const money = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount).replace('-', '−')
