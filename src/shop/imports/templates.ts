import { hash } from 'node:crypto'
import { writeRecord } from '#http/codec/csv/cells.ts'
import type { FileContent } from '#http/declare/route.ts'
import { type Member, objectShapeOf, type Shape, withoutNull } from '#schema/shape.ts'
import type { Shop } from '#shop/shop.ts'
import { importedResources } from './schema.ts'
import type { ImportTarget } from './targets/target.ts'
import { importTargets } from './targets/targets.ts'

/** The rows with examples that a template has. */
const sampleRows = 2

/** A column of a template. */
interface TemplateColumn {
  readonly name: string
  /** The cells of the rows with examples; undefined for an empty one. */
  readonly cells: readonly unknown[]
}

/** Returns the examples of a field, in amounts that the currency has. */
function examplesOf(shape: Shape, { currencyDigits }: Shop): readonly unknown[] {
  const value = withoutNull(shape)
  const examples = shape.schema.examples ?? value.schema.examples ?? []
  if (value.kind !== 'money') return examples
  return examples.map((each) => Number(Number(each).toFixed(currencyDigits)))
}

/** Yields the columns of a field: those of an object are its members, and of a map the names that are an example. */
function* columnsOf(
  { name, shape, isRequired }: Member,
  shop: Shop,
  isInner = false,
): Generator<TemplateColumn> {
  const value = withoutNull(shape)
  if (value.kind === 'map') {
    const names = value.schema.propertyNames?.examples ?? []
    for (const each of names) yield { name: `${name}.${each}`, cells: [] }
  } else if ('members' in value && value.members.length > 0) {
    for (const member of value.members) {
      yield* columnsOf({ ...member, name: `${name}.${member.name}` }, shop, true)
    }
  } else {
    const examples = examplesOf(shape, shop)
    const fallback = isRequired && !isInner ? examples[0] : undefined
    yield {
      name,
      cells: Array.from({ length: sampleRows }, (_, at) => examples[at] ?? fallback),
    }
  }
}

/** Returns a file with all columns of what is imported, and rows whose cells are the examples of their fields. */
export function writeTemplate({ body, exportedOnly = [] }: ImportTarget, shop: Shop): string {
  const members = objectShapeOf(body).members.filter(({ name }) => !exportedOnly.includes(name))
  const columns = members.flatMap((member) => Array.from(columnsOf(member, shop)))
  const rows = Array.from({ length: sampleRows }, (_, at) => columns.map(({ cells }) => cells[at]))
  return [columns.map(({ name }) => name), ...rows].map(writeRecord).join('')
}

/** Returns the template of a resource; undefined for one that is not imported. */
export function findTemplate(name: string, shop: Shop): FileContent | undefined {
  const resource = importedResources.find((each) => each === name)
  if (resource === undefined) return undefined
  const bytes = Buffer.from(writeTemplate(importTargets[resource], shop))
  return {
    bytes,
    type: 'text/csv; charset=utf-8; header=present',
    validator: hash('sha1', bytes, 'base64url'),
    fileName: `${resource}-template.csv`,
  }
}
