import type { Column } from '#http/codec/csv/columns.ts'
import { typedCell } from '#http/codec/csv/typed-cell.ts'
import type { Context } from '#http/declare/context.ts'
import type { ExportedFields } from '#http/declare/related.ts'

/** Where the cells of such columns stand in a row. */
const cellsField = 'cells of named columns'

/** The columns of a table with those of values by name, and what gives a row their cells. */
export interface NamedColumns {
  readonly columns: readonly Column[]
  readonly withCells: (row: object) => object
}

/**
 * Adds a column for each name of the values of a map, after that of the map: it has only what has no column, or no cell
 * that would be read as the same value.
 */
export async function addNamedColumns(
  columns: readonly Column[],
  exported: ExportedFields<unknown> | undefined,
  ctx: Context,
): Promise<NamedColumns> {
  const { named } = exported ?? {}
  const names = new Set(named ? await named.names(ctx) : [])
  if (!named || names.size === 0) return { columns, withCells: (row) => row }
  const { field } = named
  const added = Array.from(names, (name) => ({
    name: `${field}.${name}`,
    path: [cellsField, name],
  }))
  return {
    columns: columns.flatMap((column) => (column.name === field ? [column, ...added] : [column])),
    withCells: (row) => {
      const values = (row as Readonly<Record<string, object | null | undefined>>)[field] ?? null
      if (values === null) return row
      const cells = new Map(
        Object.entries(values).flatMap(([name, value]) => {
          const cell = names.has(name) ? typedCell(value) : undefined
          // A workbook has numbers as such.
          const written = typeof value === 'number' ? value : cell
          return cell === undefined ? [] : [[name, written] as const]
        }),
      )
      const rest = Object.entries(values).filter(([name]) => !cells.has(name))
      const kept = rest.length > 0 ? Object.fromEntries(rest) : null
      return { ...row, [field]: kept, [cellsField]: Object.fromEntries(cells) }
    },
  }
}
