import { removeFormulaQuote } from '#http/codec/csv/cells.ts'
import type { Context } from '#http/declare/context.ts'
import { requireScope } from '#http/declare/permissions.ts'
import { formatMessage, type MessageTexts, resourceWord } from '#i18n/message.ts'
import type { Db } from '#store/database.ts'
import { problem } from '#values/problem.ts'
import { isObject } from '../file/columns.ts'
import { columnsOf } from '../file-row.ts'
import { parseMessage } from '../rules.ts'
import { findOperation } from '../store.ts'
import { type OperationErrorRow, type OperationRow, operationErrors } from '../table.ts'
import { importTargets } from '../targets/targets.ts'
import { readKeptRecords } from './store.ts'

/** The column that tells what is wrong with a row. */
const errorColumn = 'error'

/**
 * Yields the header and the rows of a file that were not imported, as they were, with what is wrong with each. What
 * belongs together with one, such as the other variants of its product, has no error. Throws 404/4041, and 403/4033
 * without the scope of the resource: the rows may be persons.
 */
export async function* failedRowsOf(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  id: number,
  texts: MessageTexts,
): AsyncGenerator<readonly string[]> {
  const operation = await findOperation(db, id)
  if (!operation) {
    throw problem('4041', 'detail.no_resource', { name: resourceWord('operation') })
  }
  requireScope(importTargets[operation.resource].scope, actor)
  const columns = await columnsIn(db, operation)
  // A file that was corrected has the errors of before.
  const places = columns.flatMap((column, at) => (column === errorColumn ? [] : [at]))
  yield [...places.map((at) => columns[at] ?? ''), errorColumn]
  for await (const rows of readKeptRecords(db, id)) {
    const line = rows.map((row) => row.line)
    const errors = await operationErrors.findAll(db, { operation_id: id, line }, { order: 'id' })
    for (const { record, data } of rows) {
      const cells = cellsOf(JSON.parse(data), columns)
      const own = errors.filter((error) => error.record === record)
      yield [
        ...places.map((at) => cells[at] ?? ''),
        own.map((each) => textOf(each, texts)).join('; '),
      ]
    }
  }
}

const textOf = ({ field, message }: OperationErrorRow, texts: MessageTexts): string => {
  const text = formatMessage(parseMessage(message), texts)
  return field === null ? text : `${field}: ${text}`
}

/** The columns of a CSV file, or all names that the kept lines of NDJSON have. */
async function columnsIn(db: Db, operation: OperationRow): Promise<readonly string[]> {
  if (operation.columns !== null) return columnsOf(operation)
  const names = new Set<string>()
  for await (const rows of readKeptRecords(db, operation.id)) {
    for (const { data } of rows) for (const name of Object.keys(objectOf(data))) names.add(name)
  }
  return Array.from(names)
}

/** The object of a kept line of NDJSON; an empty one if it is none. */
function objectOf(data: string): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(JSON.parse(data))
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

function cellsOf(value: unknown, columns: readonly string[]): readonly string[] {
  // The guard of formulas is added again.
  if (Array.isArray(value)) return value.map((cell) => removeFormulaQuote(String(cell)))
  const object = objectOf(JSON.stringify(value))
  return columns.map((column) => cellText(object[column]))
}

const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
