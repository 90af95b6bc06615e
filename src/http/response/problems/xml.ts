import { escapeText, escapeUnwritable, isUnwritable } from '#http/codec/xml/text.ts'
import { compileXmlWriter } from '#http/codec/xml/writer.ts'
import { errorSchema } from './schema.ts'

const standard = compileXmlWriter(errorSchema('standard'), 'error')
const simple = compileXmlWriter(errorSchema('simple'), 'error')

/** Writes an error body of either shape as an XML document. */
export const writeErrorXml = (body: object): string =>
  'error_code' in body ? standard(body) : simple(body)

/** Writes an RFC 9457 problem as an XML document (appendix B): array items are elements `i`. */
export const writeProblemXml = (body: object): string =>
  `<?xml version="1.0" encoding="UTF-8"?><problem xmlns="urn:ietf:rfc:7807">${memberElements(body)}</problem>`

const memberElements = (value: object): string =>
  Object.entries(value)
    .map(([name, member]) => `<${name}>${contentOf(member)}</${name}>`)
    .join('')

function contentOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => `<i>${contentOf(item)}</i>`).join('')
  if (typeof value === 'object' && value !== null) return memberElements(value)
  const text = String(value)
  return escapeText(isUnwritable(text) ? escapeUnwritable(text) : text)
}
