import type { Json } from '#http/codec/wire-schema.ts'
import type { Components } from './components.ts'

type Sections = Components['sections']

/** The sections whose names no reader or generator needs; schemas keep theirs. */
const inlined = ['responses', 'parameters', 'headers', 'examples'] as const

/** Writes components that are referred to once, except schemas, in the place of the reference. */
export function inlineSingleUse(
  paths: Json,
  sections: Sections,
): { readonly paths: Json; readonly sections: Sections } {
  const uses = new Map<string, number>()
  countReferences([paths, sections], uses)
  const single = new Map<unknown, Json>()
  for (const section of inlined) {
    for (const [name, component] of Object.entries(sections[section])) {
      const pointer = `#/components/${section}/${name}`
      if (uses.get(pointer) === 1) single.set(pointer, component)
    }
  }
  const inline = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(inline)
    if (node === null || typeof node !== 'object') return node
    const component = single.get((node as Json)['$ref'])
    return component ? inline(component) : mapValues(node as Json, inline)
  }
  const kept = mapValues(sections, (components, section) =>
    Object.fromEntries(
      Object.entries(components as Json).filter(
        ([name]) => !single.has(`#/components/${section}/${name}`),
      ),
    ),
  )
  return { paths: inline(paths) as Json, sections: inline(kept) as Sections }
}

function countReferences(node: unknown, uses: Map<string, number>): void {
  if (node === null || typeof node !== 'object') return
  const { $ref } = node as Json
  if (typeof $ref === 'string') uses.set($ref, (uses.get($ref) ?? 0) + 1)
  for (const member of Object.values(node)) countReferences(member, uses)
}

const mapValues = (object: object, map: (value: unknown, name: string) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]))
