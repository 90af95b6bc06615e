/** Markup in which every value was escaped. */
export interface Markup {
  readonly markup: string
}
type Value = Markup | string | number | false | null | undefined | readonly Value[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (value: Value): string => {
  if (value === false || value === null || value === undefined) return ''
  if (typeof value === 'object')
    return 'markup' in value ? value.markup : value.map(escaped).join('')
  return String(value).replace(/[&<>"']/g, (sign) => entities[sign] ?? '')
}

/** Returns markup with these values, escaped unless they are markup themselves. */
export const html = (strings: TemplateStringsArray, ...values: readonly Value[]): Markup => ({
  markup: String.raw({ raw: strings }, ...values.map(escaped)),
})

/** Creates the element that the markup describes. */
export function toElement({ markup }: Markup): HTMLElement {
  const template = document.createElement('template')
  template.innerHTML = markup.trim()
  return template.content.firstElementChild as HTMLElement
}

/** A labelled input; `name` is the field of the API whose error it shows. */
export const field = (label: string, name: string, attributes: Markup = html``): Markup =>
  html`<p class="field ${name.split('.').at(-1)}"><label for="${name}">${label}</label>
    <input id="${name}" name="${name}" required ${attributes}>
    <small id="${name}-error" class="error"></small></p>`
