import { join } from 'node:path'
import { Eta } from 'eta'
import type { Problem, Schemas, Shop } from '#client/src/client.ts'

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
  /** The template in `views`. */
  readonly view: string
  readonly title: string
  /** What the template shows, beside the title. */
  readonly data?: object
  /** Shows the page again after these seconds. */
  readonly refresh?: number
}

/** Every value in a template is escaped; null and undefined are shown as nothing. */
const eta = new Eta({
  views: join(import.meta.dirname, 'views'),
  cache: true,
  autoFilter: true,
  filterFunction: (value) => (value ?? '') as string,
})

const helpers = {
  words: (text: string): string => text.replaceAll('_', ' '),
}

/** How amounts and dates are written, as the root of the API says it. */
export type Entry = Pick<Schemas['Entry'], 'currency' | 'currency_digits' | 'time_zone'>

function formatsOf({ currency, currency_digits: digits, time_zone: timeZone }: Entry) {
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  const days = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone })
  return {
    money: (amount: number): string => format.format(amount).replace('-', '−'),
    date: (time: string): string => days.format(new Date(time)),
  }
}

/** What every page of a visitor shows. */
export interface Frame {
  readonly entry: Entry
  /** How many pieces are in the cart. */
  readonly itemCount: number
}

/** Returns the HTML of a page, with what the visitor entered and why the shop rejected it. */
export const render = ({ view, title, data }: Page, visit?: Visit, frame?: Frame): string =>
  eta.render('layout', {
    ...helpers,
    ...(frame && formatsOf(frame.entry)),
    view,
    title,
    itemCount: frame?.itemCount ?? 0,
    search: visit?.query.get('q'),
    form: visit?.form,
    problem: visit?.problem,
    ...data,
  })
