import { isDeepStrictEqual } from 'node:util'
import { createMessage } from '#i18n/message.ts'
import { type FieldIssue, fieldProblem } from '#values/problem.ts'
import { maxRecordBytes } from './file/records.ts'
import type { FileRow } from './file-row.ts'
import {
  catchRowErrors,
  isGiven,
  isRejected,
  type JoinedList,
  type KeyedRow,
} from './targets/target.ts'

/** The rows, and the bytes of a file, that are joined at most, which bounds memory. */
const maxRows = 1000
const maxBytes = 16 * maxRecordBytes

/** Consecutive rows with the same key. */
interface Group {
  readonly rows: FileRow[]
  /** The number of its rows, also of those that are not kept. */
  count: number
  readonly startByte: number
}

/**
 * Joins consecutive rows with the same key into one, which has a list of what each has in some fields, and the other
 * fields of all. A row that has the list itself stays as it is. A row without a key is alone.
 */
export async function* joinRows(
  rows: AsyncIterable<FileRow>,
  list: JoinedList,
): AsyncGenerator<FileRow> {
  let group: Group | undefined
  let failure: unknown
  try {
    for await (const row of rows) {
      if (group && isSameKey(group, row)) addTo(group, row)
      else {
        if (group) yield joined(group, list)
        group = { rows: [row], count: 1, startByte: row.next.byte }
      }
    }
  } catch (error) {
    failure = error
  }
  // The rows before one that cannot be read are imported.
  if (group) yield joined(group, list)
  if (failure) throw failure
}

const keyOf = ({ row }: FileRow): string | undefined => (isRejected(row) ? undefined : row.key)

const isSameKey = ({ rows: [first] }: Group, row: FileRow): boolean =>
  first !== undefined && keyOf(first) !== undefined && keyOf(first) === keyOf(row)

function addTo(group: Group, row: FileRow): void {
  group.count += 1
  const isKept = group.rows.length < maxRows && row.next.byte - group.startByte <= maxBytes
  if (isKept) group.rows.push(row)
  // The end of the group is that of its last row.
  else group.rows.splice(-1, 1, { ...(group.rows.at(-1) as FileRow), next: row.next })
}

function joined({ rows, count }: Group, list: JoinedList): FileRow {
  const [first] = rows as [FileRow]
  const { line, record, row: keyed } = first
  if (isRejected(keyed)) return first
  const { key } = keyed
  const place = { line, record, next: rows.at(-1)?.next ?? first.next }
  const records = rows.flatMap((each) => each.records ?? [])
  const hasList = rows.some(({ fields }) => isGiven(fields[list.field]))
  const fields = hasList && rows.length === 1 ? first.fields : fieldsOf(rows, list)
  const row = catchRowErrors((): KeyedRow => {
    requireFew(count, rows.length)
    requireSame(rows, list)
    return { key, fields }
  })
  return { ...place, fields, row, records, ...(hasList ? {} : { joined: rows }) }
}

function requireFew(count: number, kept: number): void {
  if (count === kept) return
  const message = createMessage('import.many_items', { limit: maxRows })
  throw fieldProblem([{ field: 'number', message }])
}

const isOfList = ({ field, of }: JoinedList, name: string): boolean =>
  name === field || of.includes(name)

/** Returns the fields of the first row that has each, and the list. */
function fieldsOf(rows: readonly FileRow[], list: JoinedList): FileRow['fields'] {
  const common: Record<string, unknown> = {}
  for (const { fields } of rows) {
    for (const [name, value] of Object.entries(fields)) {
      if (!isOfList(list, name) && !isGiven(common[name])) common[name] = value
    }
  }
  const entries = rows.map(({ fields }) =>
    Object.fromEntries(
      list.of.filter((name) => name in fields).map((name) => [name, fields[name]]),
    ),
  )
  return { ...common, [list.field]: entries }
}

/** Throws 422/4221 for fields of which rows have different values. */
function requireSame(rows: readonly FileRow[], list: JoinedList): void {
  const known = new Map<string, unknown>()
  const issues: FieldIssue[] = []
  for (const { fields } of rows) {
    for (const [name, value] of Object.entries(fields)) {
      if (name === list.by || isOfList(list, name) || !isGiven(value)) continue
      if (!known.has(name)) known.set(name, value)
      else if (!isSameValue(known.get(name), value)) {
        issues.push({ field: name, message: createMessage('import.other_rows') })
      }
    }
  }
  if (issues.length > 0) throw fieldProblem(issues)
}

/** Objects of columns have no prototype. */
const isSameValue = (one: unknown, other: unknown): boolean =>
  one === other || isDeepStrictEqual(one, other)

const placeInList = /^\w+\[(\d+)\](?:\.(.*))?$/

/** Returns the row that has an entry of the list of a joined one, and the name of the field there. */
export function placeOfField(
  row: Pick<FileRow, 'line' | 'record' | 'fields' | 'joined'>,
  field: string | null,
) {
  const [, at, name = null] = placeInList.exec(field ?? '') ?? []
  const own = at === undefined ? undefined : row.joined?.[Number(at)]
  return own ? { row: own, field: name } : { row, field }
}
