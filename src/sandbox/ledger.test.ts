import assert from 'node:assert/strict'
import { appendFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openLedger } from './ledger.ts'

function entry(key: string, sequence: number) {
  const charge = { key, status: 'pending', reference: 'ch_1', amount_minor: 1, currency: 'USD' }
  return {
    charge: { ...charge, status: 'pending' as const, sequence },
    token: 'tok_later',
    callbackUrl: 'http://127.0.0.1:1/',
    callbackDue: true,
  }
}

test('a record cut short costs that record alone', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'charges.jsonl')
  const before = openLedger(file)
  before.save(entry('a', 1))
  before.save(entry('a', 2))
  appendFileSync(file, '\n{"charge":{"key":"b"')
  before.save(entry('c', 1))
  before.close()

  const after = openLedger(file)
  context.after(() => after.close())
  assert.deepEqual([...after.entries()], [entry('a', 2), entry('c', 1)])
})

const onFullDisk = { skip: !existsSync('/dev/full') && 'this system has no /dev/full' }
test('an entry that cannot be written is not kept and is an error', onFullDisk, () => {
  const full = openLedger('/dev/full')
  assert.throws(() => full.save(entry('a', 1)), { code: 'ENOSPC' })
  assert.equal(full.find('a'), undefined)
  full.close()
})
