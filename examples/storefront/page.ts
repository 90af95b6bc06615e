import type { Problem, Shop } from '#client/src/client.ts'

/** A request of a visitor. */
export interface Visit {
  /** The shop, as this visitor may use it. */
  readonly shop: Shop
  /** The address of the shop front. */
  readonly origin: string
  /** The ID in the path, such as 7 in `/products/7`. */
  readonly id: string
  readonly query: URLSearchParams
  readonly form: URLSearchParams
  /** Why the shop rejected the form. */
  readonly problem?: Problem
  /** Keeps the tokens of a visitor who has just signed in. */
  readonly remember: () => void
}

export interface Page {
  readonly title: string
  readonly content: Markup
  /** Shows the page again after these seconds. */
  readonly refresh?: number
}

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

/** Why the shop rejected the form, unless its fields say so. */
export function alertOf({ problem }: Visit) {
  const text = problem?.errors.length ? 'Please check what you entered.' : problem?.details
  return problem && html`<p class="alert" role="alert">${text ?? problem.message}</p>`
}

/** A labelled input, with what was entered; `name` is the field of the API whose error it shows. */
export function field(visit: Visit, label: string, name: string, attributes: Markup, value = '') {
  const { form, problem } = visit
  const entered = name === 'password' ? '' : (form.get(name) ?? value)
  const error = problem?.errorOf(name) ?? problem?.errorOf(`shipping.${name}`)
  return html`<p class="field"><label for="${name}">${label}</label>
    <input id="${name}" name="${name}" value="${entered}" required ${attributes}
      ${error && html`aria-invalid="true" aria-describedby="${name}-error" autofocus`}>
    ${error && html`<small id="${name}-error" class="error">It ${error}.</small>`}</p>`
}

/** One of several choices; the first one is chosen at first. */
export function choice({ form }: Visit, name: string, value: string, index: number, text: Markup) {
  const isChosen = form.has(name) ? form.get(name) === value : index === 0
  return html`<label class="option">
    <input type="radio" name="${name}" value="${value}" ${isChosen && html`checked`}>${text}</label>`
}
