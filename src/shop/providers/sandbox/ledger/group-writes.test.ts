import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Request, SerializedResponse } from '#shop/providers/sandbox/routes.ts'
import { groupWrites } from './group-writes.ts'
import { openLedger } from './ledger.ts'

const request = (url: string): Request => ({ method: 'PUT', url, body: '' })

const charge = {
  status: 'succeeded',
  reference: 'r',
  amount_minor: 1,
  currency: 'USD',
  sequence: 1,
} as const

/** Saves a charge for each request, under its path, in a ledger whose commits may fail. */
function opened(t: TestContext) {
  const ledger = openLedger(undefined)
  t.after(() => ledger.close())
  let commits = 0
  let fails = false
  const counting = {
    ...ledger,
    commit: () => {
      commits += 1
      if (!fails) return ledger.commit()
      throw new Error('the disk is full')
    },
  }
  const together = groupWrites(counting, ({ url }, respond) => {
    ledger.save({
      charge: { ...charge, key: url },
      plan: { mark: '' },
      callbackUrl: '',
      callbackDue: false,
    })
    respond({ status: 201, text: url })
  })
  const responses: (SerializedResponse | undefined)[] = []
  return {
    responses,
    together,
    handle: (url: string) => together.handle(request(url), (sent) => responses.push(sent)),
    commits: () => commits,
    fail: () => {
      fails = true
    },
  }
}

test('requests of one turn are serialize together and answered afterwards', async (t) => {
  const { handle, responses, commits } = opened(t)
  for (const url of ['a', 'b', 'c']) handle(url)
  assert.deepEqual([responses, commits()], [[], 0])
  await nextTurn()
  assert.deepEqual(
    responses.map((sent) => sent?.text),
    ['a', 'b', 'c'],
  )
  assert.equal(commits(), 1)
  handle('d')
  await nextTurn()
  assert.equal(commits(), 2)
})

test('when writing fails, all connections are closed', async (t) => {
  const { handle, responses, fail } = opened(t)
  t.mock.method(process, 'emitWarning', () => undefined)
  fail()
  handle('a')
  handle('b')
  await nextTurn()
  assert.deepEqual(responses, [undefined, undefined])
})

test('end writes and answers open requests once', async (t) => {
  const { handle, responses, together, commits } = opened(t)
  handle('a')
  together.end()
  await nextTurn()
  assert.deepEqual([responses.length, commits()], [1, 1])
})

test('when another process keeps the file locked, the connection is closed', async (t) => {
  const ledger = openLedger(undefined)
  t.after(() => ledger.close())
  t.mock.method(process, 'emitWarning', () => undefined)
  const begin = () => {
    throw new Error('database is locked')
  }
  const together = groupWrites({ ...ledger, begin }, () => assert.fail('must not be called'))
  const responses: (SerializedResponse | undefined)[] = []
  together.handle(request('a'), (sent) => responses.push(sent))
  assert.deepEqual(responses, [undefined])
})
