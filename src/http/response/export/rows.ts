import { type TObject, type TProperties, Type } from 'typebox'
import { valuesOf, writeRecord } from '#http/codec/csv/cells.ts'
import { columnsOf } from '#http/codec/csv/columns.ts'
import { writeSheetRow } from '#http/codec/xlsx/sheet.ts'
import type { ExportedFields } from '#http/declare/related.ts'
import type { CreateRowWriter } from '#http/exchange/exchange.ts'
import type { CompiledInclude, LoadIncludes } from '#http/response/includes.ts'
import { type Presenter, serializeEntities } from '#http/response/presenter.ts'
import { addNamedColumns } from './named-columns.ts'

/** An object that representations contain besides their own fields. */
interface Related {
  readonly name: string
  readonly many: boolean
  readonly presenter: Presenter
}

/** Compiles the writer of the entities of a presenter. */
export function compileRows(
  presenter: Presenter,
  loadIncludes: LoadIncludes,
  includes: ReadonlyMap<string, CompiledInclude>,
): CreateRowWriter {
  return async (exchange) => {
    const writeAll = async (entities: readonly unknown[], write: (row: object) => string) => {
      const loaded = await loadIncludes(exchange, entities)
      const exported = await exportedFieldsOf(presenter)?.load(exchange.ctx, entities)
      let text = ''
      let at = 0
      for await (const row of serializeEntities(presenter, entities, exchange, loaded)) {
        text += write(exported ? { ...row, ...exported[at] } : row)
        at += 1
      }
      return text
    }
    if (exchange.representation.format === 'ndjson') {
      const write = (row: object) => `${JSON.stringify(row)}\n`
      return { header: '', write: (entities) => writeAll(entities, write) }
    }
    const included = exchange.input.include.flatMap((name) => {
      const found = includes.get(name)
      return found ? [{ name, many: found.include.many, presenter: found.presenter }] : []
    })
    const exported = exportedFieldsOf(presenter)
    const hidden = exported?.hides?.(exchange.ctx.actor) ?? []
    const ofSchema = [
      ...columnsOf(schemaOf(presenter, included)),
      ...columnsOf(exported?.schema ?? Type.Object({})),
    ].filter(({ path: [name = ''] }) => !hidden.includes(name))
    const { columns, withCells } = await addNamedColumns(ofSchema, exported, exchange.ctx)
    const { format, hasMark } = exchange.representation
    const writeValues = format === 'xlsx' ? writeSheetRow : writeRecord
    const header = writeValues(columns.map(({ name }) => name))
    return {
      header: hasMark ? `\ufeff${header}` : header,
      write: (entities) =>
        writeAll(entities, (row) => writeValues(valuesOf(columns, withCells(row)))),
    }
  }
}

const exportedFieldsOf = ({ definition }: Presenter): ExportedFields<unknown> | undefined =>
  definition.exported

/** The schema of a representation without links. */
function schemaOf({ definition, embeds }: Presenter, included: readonly Related[] = []): TObject {
  const related = [...embeds, ...included].map(({ name, many, presenter }) => {
    const schema = schemaOf(presenter)
    return [name, many ? Type.Array(schema) : schema]
  })
  const own = definition.schema.properties as TProperties
  return Type.Object({ ...own, ...(Object.fromEntries(related) as TProperties) })
}
