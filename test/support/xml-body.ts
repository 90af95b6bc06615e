import { elementOf, entryNameOf, memberTag } from '#http/codec/xml/names.ts'

/** Serializes any value as an XML body. */
export function toXml(name: string, value: unknown): string {
  const tag = memberTag(name)
  if (value === null || value === undefined) return `<${tag} nil="true"/>`
  const inside = Array.isArray(value)
    ? value.map((each) => toXml(entryNameOf(name), each)).join('')
    : typeof value === 'object'
      ? Object.entries(value)
          .map(([key, each]) => toXml(key, each))
          .join('')
      : String(value).replace(/[<&]/g, (sign) => (sign === '<' ? '&lt;' : '&amp;'))
  return `<${tag}>${inside}</${elementOf(tag)}>`
}
