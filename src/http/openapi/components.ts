import { isDeepStrictEqual } from 'node:util'
import type { Json } from '#http/codec/wire-schema.ts'
import { type HeaderField, type HeaderName, headerFields } from '#http/message/header-fields.ts'

type Section = 'schemas' | 'responses' | 'parameters' | 'headers' | 'examples'

/** The components of an OpenAPI document, which `$ref` refers to by name. */
export interface Components {
  readonly sections: Readonly<Record<Section, Readonly<Record<string, Json>>>>
  /** Adds a component. Throws a TypeError if the name is taken. */
  readonly add: (section: Section, name: string, component: Json) => void
  /** Returns a reference to a component; `create` is called for the first one of the name. */
  readonly once: (section: Section, name: string, create: () => Json) => Json
  /**
   * Returns a reference to the component under the first name that is free or belongs to an equal
   * component. Returns the component itself if different components have all names.
   */
  readonly share: (section: Section, component: Json, ...names: readonly string[]) => Json
}

/** Returns a reference to a component. */
export const reference = (section: Section, name: string): Json => ({
  $ref: `#/components/${section}/${name}`,
})

/** Returns an empty set of components. */
export function createComponents(): Components {
  const sections: Record<Section, Record<string, Json>> = {
    schemas: {},
    responses: {},
    parameters: {},
    headers: {},
    examples: {},
  }
  const add: Components['add'] = (section, name, component) => {
    if (name in sections[section]) throw new TypeError(`Two ${section} are named ${name}`)
    sections[section][name] = component
  }
  const once: Components['once'] = (section, name, create) => {
    if (!(name in sections[section])) add(section, name, create())
    return reference(section, name)
  }
  const share: Components['share'] = (section, component, ...names) => {
    const name = names.find((candidate) =>
      isDeepStrictEqual(sections[section][candidate] ?? component, component),
    )
    return name === undefined ? component : once(section, name, () => component)
  }
  return { sections, add, once, share }
}

/** Returns a reference to the parameter of a request header field. */
export const headerParameter = (name: HeaderName, { once }: Components): Json =>
  // Tools that try requests send examples, or make values up: `*` is the precondition that holds, and
  // a UUID is shorter than a random key.
  once('parameters', name, () => {
    const { description, pattern }: HeaderField = headerFields[name]
    const type = 'string'
    const schema =
      pattern === undefined
        ? { type }
        : {
            anyOf: [
              { type, format: 'uuid' },
              { type, minLength: 1, maxLength: 512, pattern },
            ],
          }
    const example = name === 'If-Match' ? { example: '*' } : {}
    return { name, in: 'header', description, schema, ...example }
  })

/** Returns `headers` of a response as references; an empty object without names. */
export const headersOf = (names: readonly HeaderName[], { once }: Components): Json =>
  names.length === 0
    ? {}
    : {
        headers: Object.fromEntries(
          names.map((name) => [
            name,
            once('headers', name, () => describeHeader(headerFields[name])),
          ]),
        ),
      }

const describeHeader = ({ description, type = 'string', example }: HeaderField): Json => ({
  description,
  schema: { type, examples: [example] },
})
