import { openShop, Problem, type Resource, type Schemas } from '@cartwright/client'
import { el } from './element.ts'

export type Product = Resource<Schemas['Product']>
export type Order = Resource<Schemas['Order']>
export type Cart = Resource<Schemas['Cart']>
export type Profile = Resource<Schemas['Profile']>

/** The shop, through this page's own server, which adds the tokens of its cookie. */
export const shop = openShop('/api', { retries: 2 })

/** Formats an amount in the currency of the shop. */
export const money = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount)

/** Returns who is calling; undefined for nobody yet. */
export async function currentUser(): Promise<Profile | undefined> {
  const entry = await shop.entry()
  return entry.can('cart') ? entry.profile() : undefined
}

/** Returns the cart, as a new guest if nobody is signed in. */
export async function openCart(): Promise<Cart> {
  if ((await currentUser()) === undefined) await shop.guests.start()
  return shop.cart.get()
}

/** Shows the number of pieces in the cart. */
export function showCount(count: number): void {
  const link = document.getElementById('cart')
  link?.replaceChildren('Cart', count > 0 ? el('b', {}, count) : '')
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

/** Runs the action of a form or button; meanwhile it is disabled, and what goes wrong is shown in `place`. */
export async function attempt(
  place: HTMLElement,
  action: () => Promise<unknown>,
  onProblem?: (problem: Problem) => boolean,
): Promise<void> {
  const busy = place.querySelector<HTMLButtonElement>('button:not([type=button])')
  busy?.setAttribute('aria-busy', 'true')
  if (busy) busy.disabled = true
  place.querySelector('.alert')?.remove()
  try {
    await action()
  } catch (error) {
    if (!(error instanceof Problem && onProblem?.(error)))
      place.append(el('p', { class: 'alert', role: 'alert' }, explain(error)))
  } finally {
    busy?.removeAttribute('aria-busy')
    if (busy) busy.disabled = false
  }
}
