import { isDeepStrictEqual } from 'node:util'
import type { Json } from '#http/codec/wire-schema.ts'
import { type HeaderField, type HeaderName, headerFields } from '#http/response/header-fields.ts'

type Section = 'schemas' | 'responses' | 'parameters' | 'headers' | 'examples'

/** The components of a document: what is written once and referred to by name. */
export interface Components {
  readonly sections: Readonly<Record<Section, Readonly<Record<string, Json>>>>
  /** Adds a component; throws a TypeError where its name is taken. */
  readonly add: (section: Section, name: string, component: Json) => void
  /** Returns a reference to the component of a name, which is made at the first use. */
  readonly once: (section: Section, name: string, make: () => Json) => Json
  /**
   * Returns a reference to a component under the first of the names that is free or belongs to an
   * equal one; returns the component itself where other components have all the names.
   */
  readonly share: (section: Section, component: Json, ...names: readonly string[]) => Json
}

/** Returns a reference to the component of a name. */
export const refer = (section: Section, name: string): Json => ({
  $ref: `#/components/${section}/${name}`,
})

/** Returns the components of a document that has none yet. */
export function emptyComponents(): Components {
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
  const once: Components['once'] = (section, name, make) => {
    if (!(name in sections[section])) add(section, name, make())
    return refer(section, name)
  }
  const share: Components['share'] = (section, component, ...names) => {
    const name = names.find((each) =>
      isDeepStrictEqual(sections[section][each] ?? component, component),
    )
    return name === undefined ? component : once(section, name, () => component)
  }
  return { sections, add, once, share }
}

/** Returns a reference to a request header field as a parameter. */
export const headerParameter = (name: HeaderName, { once }: Components): Json =>
  // Without an example: readers that try a request out would send these preconditions with it.
  once('parameters', name, () => ({
    name,
    in: 'header',
    description: headerFields[name].description,
    schema: { type: 'string' },
  }))

/** Returns the `headers` of a response, as references; nothing where there are none. */
export const headersOf = (names: readonly HeaderName[], { once }: Components): Json =>
  names.length === 0
    ? {}
    : {
        headers: Object.fromEntries(
          names.map((name) => [
            name,
            once('headers', name, () => describeField(headerFields[name])),
          ]),
        ),
      }

const describeField = ({ description, type = 'string', example }: HeaderField): Json => ({
  description,
  schema: { type, examples: [example] },
})
