import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Request, Sent } from '#src/payments/sandbox/routes.ts'
import { answeringTogether } from './group-writes.ts'
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
  const together = answeringTogether(counting, ({ url }, tell) => {
    ledger.save({
      charge: { ...charge, key: url },
      plan: { mark: '' },
      callbackUrl: '',
      callbackDue: false,
    })
    tell({ status: 201, text: url })
  })
  const told: (Sent | undefined)[] = []
  return {
    told,
    together,
    ask: (url: string) => together.ask(request(url), (sent) => told.push(sent)),
    commits: () => commits,
    fail: () => {
      fails = true
    },
  }
}

test('requests of one turn are written together, and told only then', async (t) => {
  const { ask, told, commits } = opened(t)
  for (const url of ['a', 'b', 'c']) ask(url)
  assert.deepEqual([told, commits()], [[], 0])
  await nextTurn()
  assert.deepEqual(
    told.map((sent) => sent?.text),
    ['a', 'b', 'c'],
  )
  assert.equal(commits(), 1)
  ask('d')
  await nextTurn()
  assert.equal(commits(), 2)
})

test('where writing fails, the connection of each is cut', async (t) => {
  const { ask, told, fail } = opened(t)
  t.mock.method(process, 'emitWarning', () => undefined)
  fail()
  ask('a')
  ask('b')
  await nextTurn()
  assert.deepEqual(told, [undefined, undefined])
})

test('at the end what is open is written and told, and nothing twice', async (t) => {
  const { ask, told, together, commits } = opened(t)
  ask('a')
  together.end()
  await nextTurn()
  assert.deepEqual([told.length, commits()], [1, 1])
})

test('where another process does not let go of the file, the connection is cut', async (t) => {
  const ledger = openLedger(undefined)
  t.after(() => ledger.close())
  t.mock.method(process, 'emitWarning', () => undefined)
  const begin = () => {
    throw new Error('database is locked')
  }
  const together = answeringTogether({ ...ledger, begin }, () => assert.fail('it was asked'))
  const told: (Sent | undefined)[] = []
  together.ask(request('a'), (sent) => told.push(sent))
  assert.deepEqual(told, [undefined])
})
