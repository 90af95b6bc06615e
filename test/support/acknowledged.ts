import assert from 'node:assert/strict'
import type { TestRequest, TestResponse } from './app.ts'

/** One thing that writes change, and the states it may be in by what was sent and answered. */
export interface Fact {
  readonly name: string
  allowed: Set<string>
  /** The state it is in, asked of the server. */
  readonly read: (request: TestRequest) => Promise<string>
  /** The states it may go through by itself, in this order; none where it only changes by writes. */
  readonly course?: readonly string[]
}

/** What a write makes of a fact. */
type Change = readonly [fact: Fact, next: string]

/** A connection broke before the answer came, so that nobody knows what became of the write. */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError'
}

/** Remembers what a server has acknowledged. */
export interface Memory {
  /** Keeps a fact in the state it is in. */
  readonly learn: (fact: Omit<Fact, 'allowed'>, state: string) => Fact
  /**
   * Sends a write that is answered with one of these, or with 503 by a server that has too much to
   * do. With success its changes are made, with a refusal they are not, and otherwise either may be
   * so; throws an UnansweredError where no answer comes.
   */
  readonly write: (
    send: () => Promise<TestResponse>,
    statuses: readonly number[],
    ...changes: readonly Change[]
  ) => Promise<TestResponse>
  /** Asserts that every fact, or all that were written to since the last time, is as it must be. */
  readonly verify: (request: TestRequest, which: 'recent' | 'all') => Promise<void>
  /** How many writes were acknowledged, some of them as done before, and how many not answered. */
  readonly counts: { acknowledged: number; replayed: number; unanswered: number }
}

const readersAtOnce = 8

/** Begins to remember. */
export function openMemory(): Memory {
  const facts: Fact[] = []
  const recent = new Set<Fact>()
  const counts = { acknowledged: 0, replayed: 0, unanswered: 0 }
  return {
    counts,
    learn: (fact, state) => {
      const learnt = { ...fact, allowed: new Set([state]) }
      facts.push(learnt)
      recent.add(learnt)
      return learnt
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
      await Promise.all(Array.from({ length: readersAtOnce }, reader))
    },
  }
}

async function verifyFact(fact: Fact, request: TestRequest): Promise<void> {
  const { name, allowed, course = [], read } = fact
  const state = await read(request)
  const either = [...allowed].join(' or ')
  assert.ok(allowed.has(state), `${name} is ${state}, where it was acknowledged to be ${either}`)
  const ahead = course.slice(course.indexOf(state))
  const stillAllowed = course.includes(state)
    ? [...allowed].filter((one) => ahead.includes(one))
    : [state]
  fact.allowed = new Set(stillAllowed)
}
