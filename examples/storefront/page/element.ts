type Child = Node | string | number | false | null | undefined

/** Creates an element; a property that is a function listens to the event of its name. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Readonly<Record<string, unknown>> = {},
  ...children: readonly (Child | readonly Child[])[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'function') element.addEventListener(name, value as EventListener)
    else if (value === true) element.setAttribute(name, '')
    else if (value !== false && value != null) element.setAttribute(name, String(value))
  }
  const shown = children.flat().filter((child) => child !== false && child != null)
  element.append(...shown.map((child) => (child instanceof Node ? child : String(child))))
  return element
}

/** Creates a labelled input; `name` is the field of the API whose error it shows. */
export function field(
  label: string,
  name: string,
  properties: Readonly<Record<string, unknown>> = {},
): HTMLElement {
  const input = el('input', { id: name, name, required: true, ...properties })
  const error = el('small', { id: `${name}-error`, class: 'error' })
  return el(
    'p',
    { class: `field ${name.split('.').at(-1)}` },
    el('label', { for: name }, label),
    input,
    error,
  )
}

/** Shows the errors of fields in place, and returns whether each had its place. */
export function showErrors(
  form: HTMLFormElement,
  errors: readonly { readonly field: string; readonly message: string }[],
): boolean {
  for (const small of form.querySelectorAll('.error')) small.textContent = ''
  for (const input of form.querySelectorAll('[aria-invalid]')) input.removeAttribute('aria-invalid')
  const placed = errors.filter(({ field: name, message }) => {
    const input = form.elements.namedItem(name)
    const place = document.getElementById(`${name}-error`)
    if (!(input instanceof HTMLInputElement) || place === null) return false
    input.setAttribute('aria-invalid', 'true')
    input.setAttribute('aria-describedby', place.id)
    place.textContent = `It ${message}.`
    return true
  })
  form.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  return errors.length > 0 && placed.length === errors.length
}
