import type { TObject } from 'typebox'
import { compileCodec } from '#http/codec/codec.ts'
import { isAbsent, validateText } from '#http/codec/text.ts'
import type { Codec } from '#http/codec/value-codec.ts'
import { bodyOfVersion, type VersionedDefinition } from '#http/codec/version-transform.ts'
import { latestVersion } from '#http/message/api-versions.ts'
import { createMessage } from '#i18n/message.ts'
import { objectShapeOf, type Shape, withoutNull } from '#schema/shape.ts'
import type { KeptCredential } from '#shop/access/kept-credential-store.ts'
import type { Scope } from '#shop/scopes.ts'
import type { Shop } from '#shop/shop.ts'
import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import { type FieldIssue, fieldProblem, Problem } from '#values/problem.ts'
import { isStorableText } from '#values/text.ts'
import { isObject } from '../file/columns.ts'
import { urlsOf } from '../images/image-sources.ts'
import { errorsOf, type RowOutcome } from '../rules.ts'

/** What rows are imported with. */
export interface ImportContext {
  /** The transaction of the batch. */
  readonly db: Db
  /** The same or, in a dry run, the shop: it has what no import changes. */
  readonly shopDb: Db
  readonly shop: Shop
  /** What tells the shop from others in files. */
  readonly shopId: string
  /** When the import was begun. */
  readonly begunAt: Instant
  readonly now: Instant
  /** The administrator who began the import; null once erased. */
  readonly userId: number | null
  /** How that administrator had signed in. */
  readonly credential: Pick<KeptCredential, 'isFullSignIn' | 'isFreshSignIn'>
}

/** The fields of a row as the file has them, and the key by which it is found. */
export interface KeyedRow {
  readonly key: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** The field by which a row names another one, its parent, and the key of that; undefined without one. */
export interface ParentField {
  readonly field: string
  readonly keyOf: (row: KeyedRow) => string | undefined
}

/** Fields of exports that no import changes. */
export interface ReadOnlyFields {
  readonly names: readonly string[]
  /** True for a value of such a field that says something. */
  readonly says: (field: string, value: unknown) => boolean
}

/** What consecutive rows with the same key make together: a list of what each of them has in these fields. */
export interface JoinedList {
  /** The field that makes the key. */
  readonly by: string
  readonly field: string
  readonly of: readonly string[]
}

/** A resource to import. */
export interface ImportTarget {
  /** The scope that changing it through the API needs. */
  readonly scope: Scope
  /** The fields that a row may have, as the first version of the API has them. */
  readonly body: TObject
  /** The same in the latest version. */
  readonly latestBody: TObject
  /** The fields by which rows are found: a row has one of them, and a file a column of one. */
  readonly keyFields: readonly string[]
  /** The fields that only exports of the shop fill in: they name products by numbers. */
  readonly exportedOnly?: readonly string[]
  /** The fields of exports that a row may have only as they are; those of another shop mean nothing. */
  readonly readOnly?: ReadOnlyFields
  /** Returns the key of a row, in the form in which it is unique. Throws 400/4001 or 422/4221 without one. */
  readonly keyOf: (fields: Readonly<Record<string, unknown>>) => string
  /** Returns what is wrong with fields, each alone, of a row that is from another system. */
  readonly issuesOf?: (fields: KeyedRow['fields'], shop: Shop) => readonly FieldIssue[]
  /** The list that consecutive rows with the same key make; undefined if each row stands for itself. */
  readonly list?: JoinedList
  /** How rows name their parents, which are imported before them wherever they stand in the file. */
  readonly parent?: ParentField
  /**
   * Copies what `save` may read for these rows from the shop to a scratch database, but for what is there:
   * rows that were copied before may have changed there.
   */
  readonly copyRelated: (from: Db, to: Db, rows: readonly KeyedRow[]) => Promise<void>
  /** Returns the weight of what `save` reads for these rows: about its bytes in memory. */
  readonly weigh: (db: Db, rows: readonly KeyedRow[]) => Promise<number>
  /**
   * Imports rows with different keys in the open transaction, as the API would. Throws a Problem for one
   * that the database rejects, and a DependentRowsError for several that it cannot import together; the transaction is
   * then rolled back, and fewer rows are imported in one. The outcomes must not depend on which rows share a
   * transaction.
   */
  readonly save: (ctx: ImportContext, rows: readonly KeyedRow[]) => Promise<readonly RowOutcome[]>
}

/** One of several rows depends on what another one leads to. */
export class DependentRowsError extends Error {
  override readonly name = 'DependentRowsError'
}

/** Returns the outcome of a row; the errors of a Problem that is thrown before anything is written. */
export function catchRowErrors<T>(work: () => T): T | ReturnType<typeof errorsOf> {
  try {
    return work()
  } catch (error) {
    if (error instanceof Problem) return errorsOf(error)
    throw error
  }
}

/** Returns the issues of a Problem that is thrown; none without one. */
export function catchIssues(work: () => void): readonly FieldIssue[] {
  try {
    work()
    return []
  } catch (error) {
    if (error instanceof Problem) return error.issues
    throw error
  }
}

/** True for the errors of a row. */
export const isRejected = <T>(
  found: T | ReturnType<typeof errorsOf>,
): found is ReturnType<typeof errorsOf> => Array.isArray(found)

/**
 * Throws 400/4001 for an absent or empty key, and 422/4221 for one that is no text or holds what a database
 * cannot store: it is looked up before the row is validated.
 */
export function requireRowKey(fields: Readonly<Record<string, unknown>>, name: string): string {
  const key = fields[name]
  const issues: FieldIssue[] = []
  if (key === undefined || key === null || isAbsent(key, {})) {
    issues.push({ field: name, message: createMessage('field.required'), missing: true })
  } else validateText({}, key, name, issues)
  if (issues.length > 0) throw fieldProblem(issues)
  return key as string
}

/**
 * Compiles the decoding of rows, which have the form of the first or of the latest version of the API.
 * Throws 400/4001 and 422/4221, naming each field.
 */
export function bodyReader<T>(
  schema: TObject,
  resource: VersionedDefinition = { schema },
): (fields: KeyedRow['fields'], shop: Shop) => T {
  const { body: latest, convertBody = asIs } = bodyOfVersion(latestVersion, resource, schema)
  const [readFirst, readLatest] = [decoder(schema), decoder(latest)]
  return (fields, shop) =>
    (hasLaterForm(fields, schema)
      ? convertBody(readLatest(fields, shop))
      : readFirst(fields, shop)) as T
}

const asIs = (body: unknown): unknown => body

/** True if a field has an object where the first version has a number or a text. */
const hasLaterForm = (fields: KeyedRow['fields'], schema: TObject): boolean =>
  objectShapeOf(schema).members.some(
    ({ name, shape }) => isObject(fields[name]) && !hasObjects(withoutNull(shape)),
  )

const hasObjects = (shape: Shape): boolean =>
  'members' in shape || (shape.kind === 'union' && shape.variants.some(hasObjects))

function decoder(schema: TObject): (fields: unknown, shop: Shop) => unknown {
  // The currency is known with the first row.
  const codecs = new WeakMap<Shop, Codec>()
  const severalIn = severalAddresses(schema)
  return (fields, shop) => {
    const codec = codecs.get(shop) ?? compileCodec(schema, shop)
    codecs.set(shop, codec)
    const issues: FieldIssue[] = []
    const body = codec.decode(fields, '', issues)
    issues.push(...severalIn(fields as KeyedRow['fields']))
    if (issues.length > 0) throw fieldProblem(issues)
    return body
  }
}

/** Returns what finds several addresses in the place of one, which the API takes for one. */
function severalAddresses(schema: TObject): (fields: KeyedRow['fields']) => readonly FieldIssue[] {
  const addresses = objectShapeOf(schema).members.flatMap(({ name, shape }) =>
    withoutNull(shape).schema.format === 'uri' ? [name] : [],
  )
  return (fields) =>
    addresses
      .filter((field) => typeof fields[field] === 'string' && urlsOf(fields[field]).length > 1)
      .map((field) => ({ field, message: createMessage('import.several_urls') }))
}

/** Returns the values of a field of rows that are not validated, and of which a database can look up each. */
export const textsOf = (rows: readonly KeyedRow[], name: string): readonly string[] =>
  rows.flatMap(({ fields }) => {
    const value = fields[name]
    return typeof value === 'string' && isStorableText(value) ? [value] : []
  })

/** Returns the fields of a new entity: null, as of an empty cell, stands for the default. */
export const withoutNulls = (fields: KeyedRow['fields']): KeyedRow['fields'] =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

/** True for a value that a row has. */
export const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '')
