import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#values/problem.ts'
import { importTargets } from '../targets/targets.ts'
import { compileColumns } from './columns.ts'

test('each column of a header is read a constant number of times', () => {
  const count = 1_000
  let reads = 0
  const columns = new Proxy(
    Array.from({ length: count }, (_, at) => `column ${at}`),
    {
      get(target, name, receiver) {
        reads += 1
        return Reflect.get(target, name, receiver)
      },
    },
  )
  assert.equal(compileColumns(columns, importTargets.stock).unknown.length, count)
  assert.ok(reads < 10 * count, String(reads))
})

test('a column that occurs twice is rejected', () => {
  assert.throws(
    () => compileColumns(['sku', 'stock', 'sku'], importTargets.stock),
    (error) => error instanceof Problem && error.code === '4221' && error.issues.length === 1,
  )
})
