import type { Problem, Shop } from '#client/src/client.ts'
import { html, type Markup } from './html.ts'

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

/** Why the shop rejected the form, unless its fields say so. */
export function alertOf({ problem }: Visit): Markup | undefined {
  if (problem === undefined) return undefined
  const text = problem.errors.length > 0 ? 'Please check what you entered.' : problem.details
  return html`<p class="alert" role="alert">${text ?? problem.message}</p>`
}

/** A labelled input, with what was entered; `name` is the field of the API whose error it shows. */
export function field(
  { form, problem }: Visit,
  label: string,
  name: string,
  attributes = html``,
  value = '',
): Markup {
  const entered = name === 'password' ? '' : (form.get(name) ?? value)
  const error = problem?.errorOf(name) ?? problem?.errorOf(`shipping.${name}`)
  return html`<p class="field ${name.split('.').at(-1)}"><label for="${name}">${label}</label>
    <input id="${name}" name="${name}" value="${entered}" required ${attributes}
      ${error && html`aria-invalid="true" aria-describedby="${name}-error" autofocus`}>
    ${error && html`<small id="${name}-error" class="error">It ${error}.</small>`}</p>`
}

/** One of several choices; the first one is chosen at first. */
export const choice = (
  { form }: Visit,
  name: string,
  value: string,
  index: number,
  text: Markup,
) => {
  const isChosen = form.has(name) ? form.get(name) === value : index === 0
  return html`<label class="option">
    <input type="radio" name="${name}" value="${value}" ${isChosen && html`checked`}>${text}</label>`
}
