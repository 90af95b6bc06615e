import { escapeAttribute } from './text.ts'

const element = /^(?!xml)[a-z_][a-z0-9_.-]*$/i

/** What one entry of an array is called: the array's name without its plural, else `otherwise`. */
export function singularOf(name: string, otherwise = 'item'): string {
  if (!element.test(name)) return otherwise
  const singular = name
    .replace(/ies$/i, 'y')
    .replace(/(ss|x|ch|sh)es$/i, '$1')
    .replace(/([^s])s$/i, '$1')
  return singular === name ? otherwise : singular
}

/** What a list of resources is called. */
export const pluralOf = (name: string): string =>
  /[^aeiou]y$/.test(name) ? name.replace(/y$/, 'ies') : name.replace(/(s|x|ch|sh)?$/, endPlural)

const endPlural = (end: string): string => (end === '' ? 's' : `${end}es`)

/** What stands between `<` and `>` for a member: its name, or `member` where XML has no such name. */
export const memberTag = (key: string): string =>
  element.test(key) && key !== 'member' ? key : `member name="${escapeAttribute(key)}"`

/** The name of the element that such a tag opens. */
export const elementOf = (tag: string): string => tag.split(' ', 1)[0] ?? tag
