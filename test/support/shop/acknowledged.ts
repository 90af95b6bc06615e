import assert from 'node:assert/strict'
import type { TestRequest, TestResponse } from '#test/support/app.ts'

/** A value that writes change, and the states it may have after the requests so far. */
export interface Fact {
  readonly name: string
  allowed: Set<string>
  /** Reads the current state from the server. */
  readonly read: (request: TestRequest) => Promise<string>
  /** The states it may pass through without a write, in order; absent if only writes change it. */
  readonly course?: readonly string[]
}

/** The state of a fact after a successful write. */
type Change = readonly [fact: Fact, next: string]

/** The connection broke before the response, so the outcome of the write is unknown. */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError'
}

/** Records what a server has acknowledged. */
export interface Memory {
  /** Adds a fact with its current state. */
  readonly learn: (fact: Omit<Fact, 'allowed'>, state: string) => Fact
  /**
   * Sends a write and asserts that its status is one of these or 503. A success applies the changes,
   * a 4xx does not, anything else may have. Throws an UnansweredError if the connection breaks.
   */
  readonly write: (
    send: () => Promise<TestResponse>,
    statuses: readonly number[],
    ...changes: readonly Change[]
  ) => Promise<TestResponse>
  /** Asserts that all facts, or those written since the last call, have an allowed state. */
  readonly verify: (request: TestRequest, which: 'recent' | 'all') => Promise<void>
  /** The number of writes acknowledged, of those replayed, and of writes without a response. */
  readonly counts: { acknowledged: number; replayed: number; unanswered: number }
}

const maxConcurrentReads = 8

/** Creates an empty memory. */
export function createMemory(): Memory {
  const facts: Fact[] = []
  const recent = new Set<Fact>()
  const counts = { acknowledged: 0, replayed: 0, unanswered: 0 }
  return {
    counts,
    learn: (fact, state) => {
      const added = { ...fact, allowed: new Set([state]) }
      facts.push(added)
      recent.add(added)
      return added
    },
    write: async (send, statuses, ...changes) => {
      const before = changes.map(([fact]) => fact.allowed)
      for (const [fact, next] of changes) {
        fact.allowed = new Set([...fact.allowed, next])
        recent.add(fact)
      }
      const answer = await send().catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ECONNRESET' && error.code !== 'ECONNREFUSED') throw error
        counts.unanswered += 1
        throw new UnansweredError(error.message)
      })
      assert.ok([...statuses, 503].includes(answer.status), `${answer.status}: ${answer.text}`)
      if (answer.status < 300) counts.acknowledged += 1
      if (answer.headers['idempotent-replayed'] === 'true') counts.replayed += 1
      for (const [index, [fact, next]] of changes.entries()) {
        if (answer.status < 300) fact.allowed = new Set([next])
        else if (answer.status < 500) fact.allowed = before[index] ?? new Set()
      }
      return answer
    },
    verify: async (request, which) => {
      const waiting = (which === 'all' ? facts : [...recent]).values()
      recent.clear()
      const reader = async () => {
        for (const fact of waiting) await verifyFact(fact, request)
      }
      await Promise.all(Array.from({ length: maxConcurrentReads }, reader))
    },
  }
}

async function verifyFact(fact: Fact, request: TestRequest): Promise<void> {
  const { name, allowed, course = [], read } = fact
  const state = await read(request)
  const either = [...allowed].join(' or ')
  assert.ok(allowed.has(state), `${name} is ${state}, but ${either} was acknowledged`)
  const ahead = course.slice(course.indexOf(state))
  const stillAllowed = course.includes(state)
    ? [...allowed].filter((one) => ahead.includes(one))
    : [state]
  fact.allowed = new Set(stillAllowed)
}
