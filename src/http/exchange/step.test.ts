import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import { type Guard, GuardChain, type Middleware, MiddlewareChain } from './step.ts'

/** No step of these tests reads more of its route than the path. */
const route = { path: '/products' } as Route

interface Start {
  readonly start: number
}

describe('a chain of guards', () => {
  const adds = <K extends string, V>(
    name: K,
    check: (exchange: object) => V,
  ): Guard<object, Readonly<Record<K, V>>> => ({
    name,
    prepare: () => ({
      fragment: { query: {}, accessDescription: name },
      check: (exchange) => ({ [name]: check(exchange) }) as Readonly<Record<K, V>>,
    }),
  })
  const keysOf = (exchange: object): string => Object.keys(exchange).join(' ')

  test('runs its guards in order, and each sees only what those before it added', () => {
    const { run } = new GuardChain<Start>()
      .use(adds('first', keysOf))
      .use(adds('second', keysOf))
      .use(adds('third', keysOf))
      .prepare(route)
    assert.deepEqual(run({ start: 1 }), {
      start: 1,
      first: 'start',
      second: 'start first',
      third: 'start first second',
    })
  })

  test('adds to the exchange that it was given, also before a problem', () => {
    const exchange = { start: 1 }
    const throws: Guard<object> = {
      name: 'throws',
      prepare: () => ({ fragment: {}, check: () => assert.fail('thrown') }),
    }
    const chain = new GuardChain<Start>().use(adds('first', keysOf)).use(throws)
    assert.throws(() => chain.prepare(route).run(exchange), { message: 'thrown' })
    assert.deepEqual(exchange, { start: 1, first: 'start' })
  })

  test('passes the same values on after a guard that adds nothing', () => {
    const exchange = { start: 1 }
    const silent: Guard<Start> = {
      name: 'silent',
      prepare: () => ({ fragment: {}, check: () => undefined }),
    }
    const result = new GuardChain<Start>().use(silent).prepare(route).run(exchange)
    assert.deepEqual(result, exchange)
  })

  const later: Guard<object, { readonly later: string }> = {
    name: 'later',
    prepare: () => ({
      fragment: {},
      check: async (exchange) => {
        await Promise.resolve()
        return { later: keysOf(exchange) }
      },
    }),
  }

  test('returns at once without an asynchronous guard, and a promise with one', async () => {
    const synchronous = new GuardChain<Start>().use(adds('first', keysOf))
    assert.ok(!(synchronous.prepare(route).run({ start: 1 }) instanceof Promise))
    const asynchronous = synchronous.use(later).use(adds('last', keysOf))
    const result = asynchronous.prepare(route).run({ start: 1 })
    assert.ok(result instanceof Promise)
    assert.deepEqual(await result, {
      start: 1,
      first: 'start',
      later: 'start first',
      last: 'start first later',
    })
  })

  test('stops at a guard that throws or rejects', async () => {
    const ran: string[] = []
    const records = (name: string): Guard<object> => ({
      name,
      prepare: () => ({ fragment: {}, check: () => void ran.push(name) }),
    })
    const rejects = (check: () => Promise<void>): Guard<object> => ({
      name: 'rejects',
      prepare: () => ({ fragment: {}, check }),
    })
    const throwing = rejects(() => {
      throw new Error('thrown')
    })
    const chainWith = (guard: Guard<object>) =>
      new GuardChain<Start>().use(records('before')).use(guard).use(records('after')).prepare(route)
    assert.throws(() => chainWith(throwing).run({ start: 1 }), { message: 'thrown' })
    const rejecting = rejects(() => Promise.reject(new Error('rejected')))
    await assert.rejects(async () => chainWith(rejecting).run({ start: 1 }), {
      message: 'rejected',
    })
    assert.deepEqual(ran, ['before', 'before'])
  })

  test('collects the fragments in order, and leaves out a guard that does not apply', () => {
    const applies = (path: string): Guard<object> => ({
      name: path,
      prepare: (prepared) =>
        prepared.path === path
          ? { fragment: { accessDescription: path }, check: () => undefined }
          : undefined,
    })
    const { run, fragments } = new GuardChain<Start>()
      .use(adds('first', keysOf))
      .use(applies('/orders'))
      .use(applies('/products'))
      .use(adds('last', keysOf))
      .prepare(route)
    assert.deepEqual(
      fragments.map(({ accessDescription }) => accessDescription),
      ['first', '/products', 'last'],
    )
    assert.deepEqual(run({ start: 1 }), { start: 1, first: 'start', last: 'start first' })
  })
})

describe('a chain of middleware', () => {
  const wraps = <K extends string>(
    name: K,
  ): Middleware<object, Readonly<Record<K, true>>, readonly string[]> => ({
    name,
    prepare: () => ({
      fragment: { accessDescription: name },
      run: async (exchange, next) => {
        const inner = await next({ [name]: true } as Readonly<Record<K, true>>)
        return [`${name} saw ${Object.keys(exchange).join(' ')}`, ...inner, `${name} ended`]
      },
    }),
  })
  const core = async (exchange: object): Promise<readonly string[]> => [
    `core saw ${Object.keys(exchange).join(' ')}`,
  ]

  test('runs outermost first, and each step sees only what those outside it added', async () => {
    const { run } = new MiddlewareChain<Start, readonly string[]>()
      .use(wraps('outer'))
      .use(wraps('inner'))
      .prepare(route, core)
    assert.deepEqual(await run({ start: 1 }), [
      'outer saw start',
      'inner saw start outer',
      'core saw start outer inner',
      'inner ended',
      'outer ended',
    ])
  })

  test('ends at a step that does not call next', async () => {
    const answers: Middleware<object, void, readonly string[]> = {
      name: 'answers',
      prepare: () => ({ fragment: {}, run: async () => ['answered'] }),
    }
    const { run } = new MiddlewareChain<Start, readonly string[]>()
      .use(wraps('outer'))
      .use(answers)
      .use(wraps('inner'))
      .prepare(route, core)
    assert.deepEqual(await run({ start: 1 }), ['outer saw start', 'answered', 'outer ended'])
  })

  test('passes an error of the core outwards through its steps', async () => {
    const catches: Middleware<object, void, readonly string[]> = {
      name: 'catches',
      prepare: () => ({
        fragment: {},
        run: (_, next) => next().catch((error: Error) => [`caught ${error.message}`]),
      }),
    }
    const { run } = new MiddlewareChain<Start, readonly string[]>()
      .use(catches)
      .use(wraps('inner'))
      .prepare(route, () => Promise.reject(new Error('core')))
    assert.deepEqual(await run({ start: 1 }), ['caught core'])
  })

  test('collects the fragments in order, and leaves out a step that does not apply', async () => {
    const skipped: Middleware<object, void, readonly string[]> = {
      name: 'skipped',
      prepare: () => undefined,
    }
    const { run, fragments } = new MiddlewareChain<Start, readonly string[]>()
      .use(wraps('outer'))
      .use(skipped)
      .use(wraps('inner'))
      .prepare(route, core)
    assert.deepEqual(
      fragments.map(({ accessDescription }) => accessDescription),
      ['outer', 'inner'],
    )
    assert.equal((await run({ start: 1 })).length, 5)
  })
})
