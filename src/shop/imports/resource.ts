import { adminOnly, noStore, privateCache } from '#http/declare/policy.ts'
import { collection, files, item, singleton } from '#http/declare/resource.ts'
import { AfterCommit, accepted, ok } from '#http/declare/results.ts'
import { download, list, read, remove } from '#http/declare/route.ts'
import { upload } from '#http/declare/upload.ts'
import { csvType } from '#http/message/media-type.ts'
import { preferredWaitMs } from '#http/message/preferences.ts'
import { languages } from '#i18n/languages.ts'
import { resourceWord } from '#i18n/message.ts'
import { NoFilters } from '#schema/words.ts'
import type { Shop } from '#shop/shop.ts'
import { waitForClient } from '#values/deadline.ts'
import { problem } from '#values/problem.ts'
import * as actions from './actions.ts'
import { failedRowsOf } from './failed-rows/table.ts'
import { fileTypes, formType } from './file/open-file.ts'
import { maxFileBytes } from './file/records.ts'
import { isOngoing, presentError, presentOperation } from './rules.ts'
import {
  ImportQuery,
  importedResources,
  Operation,
  OperationError,
  OperationFilters,
  templatesPath,
} from './schema.ts'
import * as store from './store.ts'
import type { OperationErrorRow, OperationRow } from './table.ts'
import { importTargets } from './targets/targets.ts'
import { findTemplate } from './templates.ts'

const access = adminOnly('imports:write')
const readPolicy = { access, rateLimit: 'default', cache: noStore } as const

const operation = item({
  name: 'operation',
  description: 'Work that goes on after its request.',
  path: '/operations/:operationId',
  schema: Operation,
  load: ({ db }, { operationId }) => store.findOperation(db, operationId),
  pathParams: ({ id }) => ({ operationId: id }),
  revision: ({ revision }) => revision,
  changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
  isLocalized: true,
  // The rows may be persons.
  present: (row: OperationRow, { language, actor }) =>
    presentOperation(row, languages[language], actor.scopes.has(importTargets[row.resource].scope)),
  waitForEnd: actions.waitForEnd,
  links: {
    errors: { to: 'operation_errors' },
    cancel: { to: 'operation', operation: 'remove', when: isOngoing },
  },
})

const operations = collection({ name: 'operations', path: '/operations', item: operation })
const imports = collection({ name: 'imports', path: '/imports', item: operation })

const operationError = singleton<OperationErrorRow, '/operations/:operationId/errors'>({
  name: 'operation_error',
  singular: 'error',
  description: 'Why a row was not imported.',
  path: '/operations/:operationId/errors',
  schema: OperationError,
  // An error is listed, and has no path of its own.
  load: async () => undefined,
  pathParams: ({ operation_id }) => ({ operationId: operation_id }),
  revision: ({ id }) => id,
  isLocalized: true,
  present: (row, { language }) => presentError(row, languages[language]),
  links: { self: { to: 'operation_errors', when: () => false } },
})

const errorsRoute = list(
  collection({
    name: 'operation_errors',
    path: '/operations/:operationId/errors',
    item: operationError,
  }),
  {
    summary: 'Lists the errors of the rows of an import; as CSV, these rows with a column `error`.',
    ...readPolicy,
    filters: NoFilters,
    sortFields: ['id', 'line'],
    problems: ['4041'],
    find: async ({ db }, { params: { operationId }, page }) => {
      await requireOperation(db, operationId)
      return store.listErrors(db, operationId, page)
    },
    table: (ctx, { params: { operationId }, language }) =>
      failedRowsOf(ctx, operationId, languages[language]),
  },
)

const templateRoute = (shop: Shop) =>
  download(
    files({
      name: 'import_template',
      description: 'A CSV file with all columns of what is imported, and two rows of examples.',
      path: `${templatesPath}/:resource`,
      mediaType: csvType,
      names: importedResources,
    }),
    {
      summary: 'Returns a file to fill in and import.',
      access,
      rateLimit: 'default',
      cache: privateCache,
      find: async (_, { params }) => findTemplate(params.resource, shop),
    },
  )

/** Starts the waiting imports. */
export type WakeImports = () => void

// A form is first: generators send one wherever it is allowed.
const mediaTypes = {
  [formType]: {
    type: 'object',
    required: ['file'],
    properties: {
      file: { type: 'string', format: 'binary', description: 'The file.' },
      mapping: {
        type: 'string',
        description: 'The fields of columns by their names, as JSON; null ignores a column.',
        examples: ['{"Article":"sku","Remark":null}'],
      },
    },
  },
  ...Object.fromEntries(fileTypes.map((type) => [type, { type: 'string' }])),
}

/** The operations on imports, for administrators. */
export const importRoutes = (shop: Shop, wake: WakeImports) => [
  upload(imports, {
    operationId: 'startImport',
    summary: 'Imports a file of products, users, stock, prices, categories or orders.',
    description:
      '`/docs/tasks` lists the columns. A row with a known key changes what has it; others are created, but not by stock and prices. It requires the write scope of what is imported, too.',
    access,
    rateLimit: 'uploads',
    mediaTypes,
    limitBytes: maxFileBytes,
    filters: ImportQuery,
    statuses: [202, 200],
    problems: ['4033', '4221'],
    receive: (ctx, { filters, body }) => actions.receiveFile(ctx, filters, body),
    handle: async (ctx, { body, raw }) => {
      const { id } = await actions.beginImport(ctx, body)
      const waitMs = preferredWaitMs(raw.header('prefer'))
      return new AfterCommit(id, async (outer) => {
        wake()
        return outcomeOf(await waitFor(outer, id, waitMs))
      })
    },
    resumeResult: async (ctx, id) => outcomeOf(await waitFor(ctx, id, 0)),
  }),
  list(operations, {
    summary: 'Lists the operations of the last 30 days.',
    ...readPolicy,
    filters: OperationFilters,
    sortFields: ['id'],
    find: ({ db }, { filters, page }) => store.listOperations(db, filters, page),
  }),
  read(operation, {
    summary: 'Reads an operation; with `Prefer: wait`, once it has ended.',
    ...readPolicy,
  }),
  remove(operation, {
    summary: 'Cancels an operation; what it has stored stays.',
    access,
    rateLimit: 'default',
    problems: ['4091'],
    handle: (ctx, { current }) => actions.cancelImport(ctx, current),
  }),
  errorsRoute,
  templateRoute(shop),
]

const outcomeOf = (row: OperationRow) => (isOngoing(row) ? accepted(row) : ok(row))

async function requireOperation(
  db: Parameters<typeof store.findOperation>[0],
  id: number,
): Promise<OperationRow> {
  const found = await store.findOperation(db, id)
  if (!found) throw problem('4041', 'detail.no_resource', { name: resourceWord('operation') })
  return found
}

const waitFor = async (
  ctx: Parameters<typeof actions.waitForEnd>[0],
  id: number,
  waitMs: number,
): Promise<OperationRow> => {
  const begun = await requireOperation(ctx.db, id)
  return waitForClient(() => actions.waitForEnd(ctx, begun, waitMs))
}
