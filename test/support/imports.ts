import assert from 'node:assert/strict'
import { createImageFetcher } from '#shop/imports/images/fetch-image.ts'
import { createImageImports } from '#shop/imports/images/run.ts'
import { type ImportParts, runImports } from '#shop/imports/run.ts'
import { tableDeclarations } from '#src/server/tables.ts'
import { openScratch } from '#store/database.ts'
import { startTestApp, type TestApp } from './app.ts'
import type { StoreKind } from './services/databases.ts'

/** Runs the waiting imports, as the thread of a server does, and returns how many there were. */
export const runWaitingImports = async (
  { parts }: Pick<TestApp, 'parts'>,
  others: Partial<ImportParts> = {},
): Promise<number> => {
  const openNew = () => openScratch(tableDeclarations)
  const begun = await runImports({ ...parts, openScratch: openNew, ...others })
  await createImageImports({ ...parts, fetchImage: fetchLocalImage(parts), ...others })()
  return begun
}

/** Fetches images from addresses of this machine; no name leads to another one. */
const fetchLocalImage = ({ webhookDestinations: destinations }: TestApp['parts']) =>
  createImageFetcher({
    destinations,
    resolve: async (hostname) => {
      throw Object.assign(new Error(hostname), { code: 'ENOTFOUND' })
    },
    timeoutMs: 3000,
  })

/** A shop and an administrator who imports. */
export type ImportingShop = Awaited<ReturnType<typeof startImportingShop>>

/** Starts a shop with what tests of imports do. */
export async function startImportingShop(kind: StoreKind) {
  const shop = await startTestApp(kind)
  const admin = await shop.signInAs('admin')

  /** Sends a file; `query` begins with the resource. */
  const send = async (query: string, payload: string | Buffer, mediaType = 'text/csv') => {
    const { statusCode, json } = await shop.app.inject({
      method: 'POST',
      url: `/imports?resource=${query}`,
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': mediaType },
      payload,
    })
    return { status: statusCode, json: json() }
  }

  const begin = async (query: string, payload: string | Buffer, mediaType?: string) => {
    const { status, json } = await send(query, payload, mediaType)
    assert.equal(status, 202, JSON.stringify(json))
    return `/operations/${json.id}`
  }
  const read = async (path: string) => (await admin.request('GET', path)).json

  /** Runs a begun import, and returns its errors. */
  const finish = async (path: string) => {
    await runWaitingImports(shop)
    return read(`${path}/errors?limit=100`)
  }

  /** Imports a file, and returns the operation and its errors by line, field and code. */
  const importFile = async (query: string, payload: string | Buffer, mediaType?: string) => {
    const path = await begin(query, payload, mediaType)
    const { data } = await finish(path)
    const errors = data.map((error: { line: number; field: string | null; error_code: string }) => [
      error.line,
      error.field,
      error.error_code,
    ])
    return { operation: await read(path), errors }
  }

  /** Imports a file by processes each of which dies after its first batch of rows, before others are stored. */
  const importWithKills = async (query: string, payload: string) => {
    const path = await begin(query, payload)
    const { transaction } = shop.parts
    let starts = 0
    for (; (await read(path)).finished_at === null; starts += 1) {
      let commits = 0
      const dying: typeof transaction = (work) =>
        transaction(async (db) => {
          const result = await work(db)
          commits += 1
          if (commits === 2) throw new Error('killed')
          return result
        })
      await runWaitingImports(shop, { transaction: dying }).catch((error: Error) =>
        assert.equal(error.message, 'killed'),
      )
      shop.now += 30_000
    }
    return { starts, operation: await read(path) }
  }

  const productOf = async (sku: string) =>
    (await read(`/products?sku=${encodeURIComponent(sku)}&variants=all`)).data[0]

  const dispose = () => shop.dispose()
  return { shop, dispose, admin, send, begin, finish, read, importFile, importWithKills, productOf }
}
