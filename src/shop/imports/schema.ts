import { Type } from 'typebox'
import {
  DateTime,
  Id,
  listOf,
  nullable,
  stringEnum,
  timestamps,
  type ValueOf,
} from '#schema/words.ts'
import { fileFormats } from './formats/format.ts'

/** The resources that can be imported. */
export const importedResources = [
  'products',
  'users',
  'stock',
  'prices',
  'categories',
  'orders',
] as const

/** What can be imported. */
const ImportResource = stringEnum(importedResources, {
  description:
    'What the rows are: products, users, categories, the stock or the prices of products that exist, or the orders of another shop.',
})

/** Where the templates of files are. */
export const templatesPath = '/imports/templates'

/** The query of an import. */
export const ImportQuery = Type.Object({
  resource: ImportResource,
  format: Type.Optional(
    stringEnum(['auto', ...fileFormats], {
      description:
        'Whose columns the file has. `auto`, the default, recognises it by the header. Those of other systems are for products, and `shopify` for users, too.',
    }),
  ),
  dry_run: Type.Optional(
    Type.Boolean({ description: 'With `true`, every row is checked and none is stored.' }),
  ),
})
export type ImportQuery = ValueOf<typeof ImportQuery>

const status = stringEnum(['queued', 'running', 'succeeded', 'failed', 'cancelled'], {
  description:
    'How far it is. An import with rows that failed has succeeded; it has failed where its file cannot be read.',
})

const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [3] })

/** The number of a row, as spreadsheets count them. */
const rowNumber = Type.Integer({
  minimum: 1,
  description: 'The number of the row, as spreadsheets count them: the header is the first.',
  examples: [3],
})
const rowKey = 'The SKU, email or other key of the row, as the file has it'

/** Texts by any names. */
const textsByName = (description: string, example: Readonly<Record<string, string | null>>) =>
  Type.Unsafe<Readonly<Record<string, string | null>>>({
    type: 'object',
    description,
    additionalProperties: nullable(Type.String()),
    examples: [example],
  })

/** A key that rows of a file share. */
const RepeatedKey = Type.Object({
  key: Type.String({ description: `${rowKey}.`, examples: ['KETTLE-1'] }),
  count: count('The number of rows that have it.'),
  rows: Type.Array(rowNumber, { description: 'The first ten of these rows.' }),
})

/** A row of a dry run. */
const PreviewRow = Type.Object({
  row: rowNumber,
  key: nullable(
    Type.String({ description: `${rowKey}; null without one.`, examples: ['KETTLE-1'] }),
  ),
  outcome: stringEnum(['created', 'updated', 'unchanged', 'failed'], {
    description: 'What the import would do with it; why it fails is listed under `errors`.',
  }),
  fields: textsByName(
    'The fields that it would set, by the names that columns have here: the first 100 characters of each; null for an empty one.',
    { sku: 'KETTLE-1', name: 'Enamel kettle', price: '12.5', 'options.Size': null },
  ),
})

/** What has happened to the rows of a file. */
const ImportResult = Type.Object(
  {
    created: count('The rows that created something.'),
    updated: count('The rows that changed something.'),
    unchanged: count('The rows that changed nothing.'),
    overwritten: count('The rows whose key a later row of the file has, too: the last one wins.'),
    made_skus: count('The rows for which a SKU was made, since the file has none for them.'),
    detected: Type.Object(
      {
        format: stringEnum(fileFormats, { description: 'Whose columns it has.' }),
        separator: nullable(
          Type.String({
            description: 'What stands between cells; null for NDJSON, workbooks and feeds.',
            examples: [';'],
          }),
        ),
        encoding: Type.String({
          description: 'How its text was encoded.',
          examples: ['UTF-8', 'UTF-16LE', 'windows-1252'],
        }),
        decimal: nullable(
          stringEnum([',', '.'], {
            description: 'What stands before decimals; null for NDJSON.',
          }),
        ),
      },
      { description: 'What was recognised in the file.' },
    ),
    mapping: textsByName(
      'The field that each column is; null for one that changes none. A column that only tells how others are read is not among them. Of at most 500 columns.',
      { Article: 'sku', 'Variant Price': 'price', Remark: null },
    ),
    ignored_columns: Type.Array(
      Type.Object({
        name: Type.String({ description: 'The name of the column.', examples: ['Vendor'] }),
        values: count('The number of rows with a value of it.'),
      }),
      { description: 'The columns that mean nothing here, at most 100.' },
    ),
    warnings: Type.Array(
      Type.Object({
        row: rowNumber,
        field: Type.String({ description: 'The field or column.', examples: ['gtin'] }),
        value: nullable(
          Type.String({
            description:
              'The first 100 characters of what the file has; null without a value, and for users and orders without the write scope.',
            examples: ['4006381333932'],
          }),
        ),
        message: Type.String({
          description: 'What is wrong with it.',
          examples: ['must be a GTIN'],
        }),
      }),
      {
        description:
          'What a file of another system has that a field cannot have, which is then left as it is; the first 200.',
      },
    ),
    repeated_keys: Type.Optional(
      Type.Array(RepeatedKey, {
        description:
          'The first 100 keys that several rows have. Only with the write scope of what was imported.',
      }),
    ),
    preview: Type.Optional(
      Type.Array(PreviewRow, {
        description:
          'The first ten rows of a dry run, as they would become. Only with the write scope of what was imported.',
      }),
    ),
  },
  { description: 'What has happened; null until the operation has ended.' },
)

/** An operation in responses. */
export const Operation = Type.Object({
  id: Id(),
  kind: stringEnum(['import'], { description: 'What is done.' }),
  resource: ImportResource,
  dry_run: Type.Boolean({ description: 'Whether rows are only checked.', examples: [false] }),
  status,
  progress: Type.Object(
    {
      done: count('The rows that were imported, or are as they were.'),
      total: nullable(count('The number of rows; null until the whole file has been read.')),
      failed: count('The rows with errors.'),
      images: Type.Optional(
        Type.Object(
          {
            done: count('The images that were added, or are as they were.'),
            total: count('The images that the rows name.'),
            failed: count('The images with errors.'),
          },
          { description: 'The images that are fetched after the rows, if these name any.' },
        ),
      ),
    },
    { description: 'The rows so far.' },
  ),
  outcome: nullable(
    stringEnum(['complete', 'partial', 'nothing'], {
      description:
        'Whether all rows, some or none were imported; null until the file has been imported to its end.',
    }),
  ),
  result: nullable(ImportResult),
  failure: nullable(
    Type.String({
      description:
        'Why it ended before the end of the file: the file cannot be read any further, or the credential that started it has ended; null otherwise.',
      examples: ['The quote of the record at line 7 is never closed.'],
    }),
  ),
  finished_at: nullable(DateTime({ description: 'When it ended; null until then.' })),
  ...timestamps,
})

/** The filters of the list of operations. */
export const OperationFilters = Type.Object({
  status: Type.Optional(listOf(status, 'Only operations of this status.')),
})
export type OperationFilters = ValueOf<typeof OperationFilters>

/** An error of a row in responses. */
export const OperationError = Type.Object({
  record: rowNumber,
  line: Type.Integer({ minimum: 1, description: 'The line where the row begins.', examples: [7] }),
  key: nullable(
    Type.String({
      description: 'The SKU or email of the row; null without one.',
      examples: ['KETTLE-1'],
    }),
  ),
  field: nullable(
    Type.String({
      description: 'The field or column; null for the whole row.',
      examples: ['price'],
    }),
  ),
  value: nullable(
    Type.String({
      description: 'The first 100 characters of what the field has; null without a value.',
      examples: ['19,9O'],
    }),
  ),
  error_code: Type.String({ description: 'The error code, as in a problem.', examples: ['4221'] }),
  message: Type.String({ description: 'What is wrong.', examples: ['must be a number'] }),
})
