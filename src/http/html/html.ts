import { hash } from 'node:crypto'

/** A piece of HTML that is not escaped again. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Value = Html | string | number | false | undefined | readonly Html[]

/** Builds HTML. Values are escaped unless they are `Html`; false and undefined are left out. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(parts.map((part, at) => part + render(values[at])).join(''))

function render(value: Value): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(({ text }) => text).join('')
  return escapeHtml(String(value))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for the content or an attribute of an element. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (each) => entities[each] ?? '')

/** The hash-source of an inline script or style (CSP Level 3, 2.3.1). */
export const sourceHash = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`
