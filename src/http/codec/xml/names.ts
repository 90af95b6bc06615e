import { escapeAttribute } from './text.ts'

const elementName = /^(?!xml)[a-z_][a-z0-9_.-]*$/i

/** Returns the element name of an item of an array: the singular of `name`, else `fallback`. */
export function entryNameOf(name: string, fallback = 'item'): string {
  if (!elementName.test(name)) return fallback
  const singular = name
    .replace(/ies$/i, 'y')
    .replace(/(ss|x|ch|sh)es$/i, '$1')
    .replace(/([^s])s$/i, '$1')
  return singular === name ? fallback : singular
}

/** Returns the English plural of a name. */
export const pluralOf = (name: string): string =>
  /[^aeiou]y$/.test(name)
    ? name.replace(/y$/, 'ies')
    : name.replace(/(s|x|ch|sh)?$/, (end) => (end === '' ? 's' : `${end}es`))

/**
 * Returns the content of the start tag of a member: its key, or `member` with an attribute `name`
 * if the key is no valid element name.
 */
export const memberTag = (key: string): string =>
  elementName.test(key) && key !== 'member' ? key : `member name="${escapeAttribute(key)}"`

/** Returns the element name of the content of a start tag. */
export const elementOf = (tag: string): string => tag.split(' ', 1)[0] ?? tag
