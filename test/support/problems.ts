import assert from 'node:assert/strict'
import { Problem } from '#values/problem.ts'

/** Returns the Problem that an action throws; fails if it throws none. */
export function catchProblem(action: () => unknown): Problem {
  try {
    action()
  } catch (error) {
    assert.ok(error instanceof Problem, String(error))
    return error
  }
  assert.fail('no Problem was thrown')
}

/** Returns the code of the Problem that an action throws, or undefined if it succeeds. */
export function catchProblemCode(action: () => unknown): string | undefined {
  try {
    action()
    return undefined
  } catch (error) {
    assert.ok(error instanceof Problem, String(error))
    return error.code
  }
}
