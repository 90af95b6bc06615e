import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openSubject as openHttp } from '../../../test/support/payments/subjects/http.ts'
import { openSubject as openSandbox } from '../../../test/support/payments/subjects/sandbox.ts'
import { openSubject as openStripe } from '../../../test/support/payments/subjects/stripe.ts'
import { allChecks, checkProvider } from './run.ts'
import type { OpenSubject } from './subject.ts'

// The sandbox takes every amount, forgets no key and has no dashboard.
const withoutThese = [
  'an amount that the provider does not take is rejected, naming the amount',
  'paying again after the provider has forgotten its keys charges once',
  'a refund is made once also after the provider has forgotten its keys',
  'a refund made by other means is listed without a key, and counts',
]

const providers: readonly [name: string, open: OpenSubject, skipped: readonly string[]][] = [
  ['sandbox', openSandbox, withoutThese],
  ['http', openHttp, withoutThese],
  ['stripe', openStripe, []],
]

for (const [name, open, skipped] of providers) {
  describe(`the provider ${name} keeps every rule`, () => {
    for (const check of allChecks) {
      test(check.name, async () => {
        for await (const { result, detail } of checkProvider(open, [check])) {
          const expected = skipped.includes(check.name) ? 'skipped' : 'passed'
          assert.equal(result, expected, detail ?? '')
        }
      })
    }
  })
}

describe('a provider whose buyer always acts on a page', () => {
  const openPages: OpenSubject = async () => {
    const subject = await openSandbox()
    const { later: _, action, unknown: __, ...cards } = subject.tokens
    const { approved: succeeds = '', declined = '' } = action ?? {}
    return { ...subject, tokens: { ...cards, succeeds, declined, ...(action && { action }) } }
  }
  const skipped = new Set([
    ...withoutThese,
    'an unknown token takes no money and is declined or rejected for good',
  ])

  for (const check of allChecks) {
    const isSkipped = skipped.has(check.name) || check.name.includes('that the bank decides later')
    test(check.name, async () => {
      for await (const { result, detail } of checkProvider(openPages, [check])) {
        assert.equal(result, isSkipped ? 'skipped' : 'passed', detail ?? '')
      }
    })
  }
})

test('there are enough rules, each with a name of its own', () => {
  assert.ok(allChecks.length >= 25, `${allChecks.length}`)
  assert.equal(new Set(allChecks.map(({ name }) => name)).size, allChecks.length)
})
