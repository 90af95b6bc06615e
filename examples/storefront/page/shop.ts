import { openShop, Problem, type Resource, type Schemas } from '@cartwright/client'
import { html, toElement } from './html.ts'

export type Product = Resource<Schemas['Product']>
export type Order = Resource<Schemas['Order']>
export type Cart = Resource<Schemas['Cart']>

/** The shop, through this page's own server, which adds the tokens of its cookie. */
export const shop = openShop('/api', { retries: 2 })

/** Formats an amount in the currency of the shop. */
export const money = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount)

/** Returns who is calling; undefined for nobody yet. */
export async function currentUser(): Promise<Resource<Schemas['Profile']> | undefined> {
  const entry = await shop.entry()
  return entry.can('cart') ? entry.profile() : undefined
}

/** Returns the cart of the caller; undefined for nobody yet. */
export async function currentCart(): Promise<Cart | undefined> {
  return (await currentUser()) && shop.cart.get()
}

/** Shows the number of pieces in the cart. */
export function showCount(count: number): void {
  const link = document.getElementById('cart')
  link?.replaceChildren('Cart', ...(count > 0 ? [toElement(html`<b>${count}</b>`)] : []))
  link?.setAttribute('aria-label', `Cart, ${count} ${count === 1 ? 'item' : 'items'}`)
}

/** Shows a short message, which screen readers read. */
export function toast(message: string): void {
  const place = document.getElementById('toast')
  if (place === null) return
  place.textContent = message
  place.classList.add('shown')
  setTimeout(() => place.classList.remove('shown'), 4000)
}

/** Returns a sentence for the buyer. */
export const explain = (error: unknown): string =>
  error instanceof Problem
    ? (error.details ?? error.message)
    : 'The shop does not answer. Please try again in a moment.'

/** Shows the current page again. */
export const reload = (): boolean => dispatchEvent(new HashChangeEvent('hashchange'))

/** Runs an action whenever the form is submitted. Errors are shown in their fields, or beside the button. */
export function onSubmit(
  form: HTMLElement | null,
  action: (data: (name: string) => string) => Promise<unknown>,
): void {
  if (!(form instanceof HTMLFormElement)) return
  const button = form.querySelector<HTMLButtonElement>('button:not([type=button])')
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    for (const small of form.querySelectorAll('.error')) small.textContent = ''
    form.querySelector('.alert')?.remove()
    if (button) button.disabled = true
    const data = new FormData(form)
    try {
      await action((name) => String(data.get(name) ?? ''))
    } catch (error) {
      if (!showErrors(form, error))
        button?.after(toElement(html`<p class="alert" role="alert">${explain(error)}</p>`))
    } finally {
      if (button) button.disabled = false
    }
  })
}

/** Shows the errors of fields in place; returns whether each had its place. */
function showErrors(form: HTMLFormElement, error: unknown): boolean {
  const errors = error instanceof Problem ? error.errors : []
  for (const { field, message } of errors) {
    const place = document.getElementById(`${field.replace('shipping.', '')}-error`)
    if (place === null || !form.contains(place)) return false
    place.textContent = `It ${message}.`
    place.previousElementSibling?.setAttribute('aria-describedby', place.id)
  }
  return errors.length > 0
}
