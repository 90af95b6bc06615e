import assert from 'node:assert/strict'
import { Problem } from '#values/problem.ts'

/** The refusal that an act ends in; fails where it does not. */
export function problemOf(act: () => unknown): Problem {
  try {
    act()
  } catch (error) {
    assert.ok(error instanceof Problem, String(error))
    return error
  }
  assert.fail('Nothing was refused')
}

/** The code of the refusal that an act ends in; undefined where it ends well. */
export function codeOf(act: () => unknown): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    assert.ok(error instanceof Problem, String(error))
    return error.code
  }
}
