import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leaveOut } from './leave-out.ts'
import { readOptions } from './options.ts'

const all = readOptions([]).wanted
const noDatabase = 'PostgreSQL does not answer'
const pgbench = '/usr/bin/pgbench'

test('without PostgreSQL all that needs it is left out, and the reason is told', () => {
  const { wanted, notes } = leaveOut(all, { noDatabase, pgbench })
  assert.deepEqual([...all].slice(-3), ['postgres', 'workers', 'growth-postgres'])
  assert.deepEqual([...wanted], [...all].slice(0, -3))
  assert.equal(notes.length, 1)
  assert.match(notes[0] ?? '', /PostgreSQL does not answer.*: postgres, workers, growth-postgres\./)
})

test('without pgbench the rest of PostgreSQL is measured, and what is left out is told', () => {
  const { wanted, notes } = leaveOut(all, { noDatabase: undefined, pgbench: undefined })
  assert.deepEqual(wanted, all)
  assert.equal(notes.length, 1)
  assert.match(notes[0] ?? '', /no pgbench.*order of two and add to cart/)
})

test('nothing is told of what nobody asked for, nor where nothing is missing', () => {
  const reads = readOptions(['--only', 'product,soak']).wanted
  const nothing = { noDatabase, pgbench: undefined }
  assert.deepEqual(leaveOut(reads, nothing), { wanted: reads, notes: [] })
  const workers = readOptions(['--only', 'workers']).wanted
  const noPgbench = { noDatabase: undefined, pgbench: undefined }
  assert.deepEqual(leaveOut(workers, noPgbench).notes, [])
  assert.deepEqual(leaveOut(all, { noDatabase: undefined, pgbench }).notes, [])
})
