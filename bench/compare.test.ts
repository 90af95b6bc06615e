import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pressInTurn } from './compare.ts'

test('all are warmed up, then pressed in alternation, and each number is its own median', async () => {
  const pressed: string[] = []
  const series = (name: string, ...rounds: readonly { fast: number; slow: number }[]) => {
    const left = [{ fast: 999, slow: 999 }, ...rounds]
    return async () => {
      pressed.push(name)
      return left.shift() ?? { fast: 0, slow: 0 }
    }
  }
  const one = series('a', { fast: 3, slow: 1 }, { fast: 1, slow: 9 }, { fast: 2, slow: 5 })
  const other = series('b', { fast: 7, slow: 8 }, { fast: 7, slow: 6 }, { fast: 7, slow: 7 })
  assert.deepEqual(await pressInTurn([one, other], { seconds: 1, rounds: 3 }), [
    { fast: 2, slow: 5 },
    { fast: 7, slow: 7 },
  ])
  assert.equal(pressed.join(''), 'abababab')
})
