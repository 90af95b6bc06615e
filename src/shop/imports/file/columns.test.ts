import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#values/problem.ts'
import { importTargets } from '../targets/targets.ts'
import { compileColumns, maxColumns, requireKeyColumn } from './columns.ts'

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

test('a header has as many columns as a spreadsheet, and no more', () => {
  const columns = ['sku', ...Array.from({ length: maxColumns - 1 }, () => '')]
  requireKeyColumn(columns, importTargets.stock, 'stock')
  assert.throws(
    () => requireKeyColumn([...columns, ''], importTargets.stock, 'stock'),
    (error) => error instanceof Problem && error.code === '4221',
  )
})

test('members of a field are set whatever their names, and beside those of its own column', () => {
  const columns = ['options', 'options.size', 'options.__proto__']
  const { toFields } = compileColumns(columns, importTargets.products)
  const { options } = toFields(['{"color": "red"}', 'M', 'x'])
  const members = Object.entries(options as object)
  assert.deepEqual(members, Object.entries({ color: 'red', size: 'M', ['__proto__']: 'x' }))
  assert.equal(toFields(['a text', 'M', 'x'])['options'], 'a text')
})
