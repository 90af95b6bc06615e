import type { TObject, TSchema } from 'typebox'
import { maxJsonDepth, maxJsonValues } from '#http/codec/json-bounds.ts'
import type { Route } from '#http/declare/route.ts'
import { xmlBodyOf } from '#http/exchange/api-key-location.ts'
import { xmlRootName } from '#http/response/xml-documents.ts'
import { bodyLimitOf } from '#http/server/body/body-limit.ts'
import { shapeOf, withoutNull } from '#schema/shape.ts'
import { toXml } from '#test/support/xml-body.ts'
import { largestValue, type ValueParts } from './values.ts'

/** A body, and what is large in it. */
export interface NamedBody {
  readonly name: string
  readonly type: string
  readonly payload: () => string
}

const json = 'application/json'
const xml = 'application/xml'

/**
 * Returns the largest bodies that a route admits: with all fields of a valid body, and with each field alone
 * beside the required ones.
 */
export function largestBodies(route: Route, parts: ValueParts): readonly NamedBody[] {
  if (!route.body) return []
  const limit = bodyLimitOf(route)
  const example = parts.example as Readonly<Record<string, unknown>>
  const largest = largestValue(route.body, parts)
  const text = JSON.stringify(largest)
  const all = [
    { name: 'largest', type: json, text },
    { name: 'largest, escaped', type: json, text: escaped(text) },
    { name: 'largest', type: xml, text: toXml(xmlRootName(route), largest) },
    ...Object.entries<TSchema>(route.body.properties).flatMap(([name, schema]) => {
      const value = largestValue(schema, { ...parts, example: example[name] })
      const isLarger = JSON.stringify(value) !== JSON.stringify(example[name])
      const required = requiredOf(route.body, example)
      const words = wordsOf(schema)
      return [
        ...(isLarger ? [{ name: `largest ${name}`, value }] : []),
        ...(words === undefined ? [] : [{ name: `most words of ${name}`, value: words }]),
      ].map((one) => ({
        name: one.name,
        type: json,
        text: JSON.stringify({ ...required, [name]: one.value }),
      }))
    }),
  ]
  return all.flatMap(({ name, type, text }) =>
    Buffer.byteLength(text) <= limit ? [{ name, type, payload: () => text }] : [],
  )
}

const requiredOf = (
  schema: TObject | undefined,
  example: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries((schema?.required ?? []).map((name) => [name, example[name]]))

/** Returns as many different words as a text may have; undefined for another value. */
function wordsOf(schema: TSchema): string | undefined {
  const {
    kind,
    schema: { maxLength = 0, format, pattern, documented, writeOnly },
  } = withoutNull(shapeOf(schema))
  if (kind !== 'text' || format || pattern || documented || writeOnly || maxLength < 100)
    return undefined
  return many(maxLength / 4, (at) => at.toString(36).padStart(3, 'w'), ' ').slice(0, maxLength)
}

/** Writes every character that is not ASCII as escapes. */
const escaped = (text: string): string =>
  text.replace(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

const repeatTo = (bytes: number, unit: string): string =>
  unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)))
const many = (count: number, of: (at: number) => string, separator = ''): string =>
  Array.from({ length: count }, (_, at) => of(at)).join(separator)

/** Returns bodies as large as a route admits that take long to parse or to reject. */
export function hostileBodies(route: Route): readonly NamedBody[] {
  const limit = bodyLimitOf(route)
  const root = xmlRootName(route)
  const fields = Object.keys(route.body?.properties ?? {})
  const documents = xmlBodyOf(route) ? hostileXml(root, fields[0] ?? 'field', limit) : {}
  return [
    ...Object.entries(hostileJson(limit)).map(([name, payload]) => ({ name, type: json, payload })),
    ...fields.flatMap((field) => hostileFields(field, limit)),
    ...Object.entries(documents).map(([name, payload]) => ({ name, type: xml, payload })),
  ]
}

type Payloads = Readonly<Record<string, () => string>>

const hostileJson = (limit: number): Payloads => ({
  'open brackets': () => '['.repeat(limit),
  'the deepest lists': () => `${'['.repeat(maxJsonDepth)}${']'.repeat(maxJsonDepth)}`.padEnd(limit),
  'as many fields as may be': () =>
    `{${many(maxJsonValues, (at) => `"${String(at).padStart(90, 'f')}":1`, ',')}}`.slice(0, limit),
  'as many values as may be': () => `[${many(maxJsonValues, () => '{}', ',').slice(0, limit / 2)}]`,
  'one number': () => `[${'9'.repeat(limit - 2)}]`,
  'one text of quotes': () => `["${repeatTo(limit - 4, '\\"')}"]`,
  'only blanks': () => ' '.repeat(limit),
  'commas without values': () => ','.repeat(limit),
})

/** Bodies in which one field has a text, a list or a map as large as the body may be. */
function hostileFields(field: string, limit: number): readonly NamedBody[] {
  const room = limit - Buffer.byteLength(field) - 16
  const values: Payloads = {
    'combining marks in': () => `"${repeatTo(room, 'à̖')}"`,
    'blanks in': () => `"${' '.repeat(room)}"`,
    'a list in': () => `[${many(maxJsonValues - 2, () => '1', ',')}]`,
    'a map in': () => `{${many(maxJsonValues - 2, (at) => `"k${at}":"v"`, ',')}}`,
  }
  return Object.entries(values).map(([name, value]) => ({
    name: `${name} ${field}`,
    type: json,
    payload: () => `{"${field}":${value()}}`,
  }))
}

function hostileXml(root: string, field: string, limit: number): Payloads {
  const inside = (unit: string) => () =>
    `<${root}>${repeatTo(limit - 2 * root.length - 5, unit)}</${root}>`
  const attributes = (name: (at: number) => string) => () => {
    const parts: string[] = []
    for (let at = 0, length = 0; length < limit - 40 - root.length; at += 1) {
      const part = ` ${name(at)}=""`
      parts.push(part)
      length += part.length
    }
    return `<${root}${parts.slice(0, -1).join('')}/>`
  }
  return {
    'open elements': () => repeatTo(limit, '<a>'),
    'empty elements': inside('<a/>'),
    'empty fields': inside(`<${field}/>`),
    attributes: attributes((at) => `a${at}`),
    namespaces: attributes((at) => `xmlns:a${at}`),
    references: inside('&amp;'),
    'numeric references': inside('&#x1FAD6;'),
    comments: inside('<!---->'),
    sections: inside('<![CDATA[]]>'),
    'closing brackets': inside(']'),
    'line breaks': inside('\r\n'),
    'wide characters': inside('🫖'),
    'a long name': () => `<${'a'.repeat(limit - 3)}/>`,
    'an open comment': () => `<${root}><!--`.padEnd(limit, '-'),
    'comments that begin': () => repeatTo(limit, '<!--'),
    'sections that begin': () => repeatTo(limit, '<![CDATA['),
  }
}
