import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import { eachDatabase } from '#test/support/app.ts'
import {
  assertErrorCode,
  assertFieldError,
  type ContractApp,
  forEachRoute,
  startContractApp,
  validRequest,
} from './setup/contract-app.ts'

type TimeField = 'created_at' | 'updated_at'
type Row = Readonly<Record<TimeField, string>> & {
  readonly _links: { readonly self: { readonly href: string } }
}

const timeFields = ['created_at', 'updated_at'] as const
const limitNames = ['created_since', 'created_before', 'updated_since', 'updated_before']
const isList = ({ kind }: Route): boolean => kind === 'list'
const hasTimes = ({ resource }: Route): boolean =>
  resource.kind === 'collection' &&
  timeFields.some((field) => field in resource.item.schema.properties)
const isTimedList = (route: Route): boolean => isList(route) && hasTimes(route)
const isTimelessList = (route: Route): boolean => isList(route) && !hasTimes(route)

async function readAll(contract: ContractApp, route: Route, query: Record<string, string>) {
  const spec = validRequest(route, contract.fixtures)
  const url = `${spec.url}?${new URLSearchParams({ limit: '100', ...query })}`
  const { status, json, text } = await contract.send({ ...spec, url })
  assert.equal(status, 200, text)
  const rows = json.data as readonly Row[]
  assert.equal(json.pagination.total_items, rows.length, url)
  return rows
}

const selfLinks = (rows: readonly Row[]) => rows.map((row) => row._links.self.href).sort()

eachDatabase((kind) => {
  describe('the times of entries', () => {
    let contract: ContractApp
    before(async () => {
      contract = await startContractApp(kind)
    })
    after(() => contract.shop.dispose())

    test('every list is limited by the times of its entries, from a time on and before it', async () => {
      await forEachRoute(contract, isTimedList, async (route) => {
        const all = await readAll(contract, route, {})
        for (const field of timeFields) {
          const times = all.map((row) => row[field]).sort()
          const middle = times[Math.floor(times.length / 2)] ?? assert.fail('the list is empty')
          const verb = field.replace('_at', '')
          for (const sort of route.sortFields ?? []) {
            for (const order of ['asc', 'desc']) {
              const read = (limits: Record<string, string>) =>
                readAll(contract, route, { sort, order, ...limits })
              const since = await read({ [`${verb}_since`]: middle })
              const before = await read({ [`${verb}_before`]: middle })
              assert.deepEqual(
                selfLinks(since),
                selfLinks(all.filter((row) => row[field] >= middle)),
              )
              assert.deepEqual(
                selfLinks(before),
                selfLinks(all.filter((row) => row[field] < middle)),
              )
              const both = { [`${verb}_since`]: middle, [`${verb}_before`]: middle }
              assert.deepEqual(await read(both), [])
            }
          }
        }
      })
    })
    test('every list is sorted by the times of its entries', async () => {
      await forEachRoute(contract, isTimedList, async (route) => {
        for (const sort of timeFields) {
          const rows = await readAll(contract, route, { sort })
          const times = rows.map((row) => row[sort])
          assert.deepEqual(times, times.toSorted())
        }
      })
    })
    test('a list whose entries have no times is neither limited nor sorted by them', async () => {
      await forEachRoute(contract, isTimelessList, async (route) => {
        const spec = validRequest(route, contract.fixtures)
        const time = '2026-01-31T12:00:00Z'
        for (const [name, value] of [
          ...limitNames.map((limit) => [limit, time] as const),
          ...timeFields.map((field) => ['sort', field] as const),
        ]) {
          const url = `${spec.url}?${new URLSearchParams({ [name]: value })}`
          const response = await contract.send({ ...spec, url })
          assertErrorCode(response, '4003', url)
          assertFieldError(response, name)
        }
      })
    })
    test('a limit that is no time answers 400 and is named', async () => {
      await forEachRoute(contract, isList, async (route) => {
        const spec = validRequest(route, contract.fixtures)
        for (const name of limitNames) {
          for (const value of ['', 'yesterday', '1', '2026-13-01T00:00:00Z', '2026-01-31 12:00']) {
            const url = `${spec.url}?${new URLSearchParams({ [name]: value })}`
            const response = await contract.send({ ...spec, url })
            assertErrorCode(response, '4003', url)
            assertFieldError(response, name)
          }
        }
      })
    })
  })
})
