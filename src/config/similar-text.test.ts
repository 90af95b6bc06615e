import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSimilar } from './similar-text.ts'

const known = ['PORT', 'HOST', 'WORKERS', 'RATE_LIMIT', 'DATABASE_URL', 'REDIS_URL']

const found: readonly (readonly [text: string, expected: string | undefined])[] = [
  ['RATE_LIMTI', 'RATE_LIMIT'],
  ['RATELIMIT', 'RATE_LIMIT'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['WORKER', 'WORKERS'],
  ['PROT', 'PORT'],
  ['port', 'PORT'],
  ['HOME', undefined],
  ['PATH', undefined],
  ['SHELL', undefined],
  ['REDIS_PORT', undefined],
  ['PGHOST', undefined],
  ['', undefined],
]
for (const [text, expected] of found) {
  test(`${JSON.stringify(text)} resembles ${expected ?? 'nothing'}`, () => {
    assert.equal(findSimilar(text, known), expected)
  })
}
