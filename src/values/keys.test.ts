import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { accountKey } from './account-key.ts'
import { sortKey } from './sort-key.ts'
import { textKey } from './text-key.ts'

const graphemes = fc.string({ unit: 'grapheme', maxLength: 40 })
const characters = fc.string({ unit: 'binary', maxLength: 40 })
/** Texts with letters whose case, accents and compatibility forms are many. */
const letters = fc
  .array(fc.constantFrom(...'aAeiIıİßẞςσΣſﬁÅÅÄéłŁøÆ10٣３ \u00a0\u0301\u0308\u0323\u0307-_.'), {
    maxLength: 20,
  })
  .map((parts) => parts.join(''))
const texts = fc.oneof(graphemes, characters, letters)
const invisible = fc.constantFrom('\u200b', '\u00ad', '\ufeff', '\u202e', '\u2060')

/** A text with an invisible character somewhere between its characters. */
const withInvisible = fc.tuple(texts, fc.nat(), invisible).map(([text, at, mark]) => {
  const all = Array.from(text)
  return [text, all.toSpliced(at % (all.length + 1), 0, mark).join('')] as const
})

const address = (local: string) => `${local}@example.com`
const keys = {
  textKey,
  sortKey,
  'accountKey of a name': accountKey,
  'accountKey of an address': (text: string) => accountKey(address(text)),
}

for (const [name, keyOf] of Object.entries(keys)) {
  describe(name, () => {
    test('is the same in every normal form', () => {
      fc.assert(
        fc.property(texts, (text) => {
          for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const)
            assert.equal(keyOf(text.normalize(form)), keyOf(text))
        }),
      )
    })
    test('ignores case', () => {
      fc.assert(
        fc.property(texts, (text) => {
          // Letters that only share their upper case are different mailboxes.
          if (name !== 'accountKey of an address')
            assert.equal(keyOf(text.toUpperCase()), keyOf(text))
          assert.equal(keyOf(text.toLowerCase()), keyOf(text))
        }),
      )
    })
    test('ignores blanks around and their number between', () => {
      fc.assert(
        fc.property(texts, texts, (one, other) => {
          assert.equal(keyOf(`${one}\u3000\t ${other}`), keyOf(`${one} ${other}`))
          if (name !== 'accountKey of an address') assert.equal(keyOf(` ${one}\u00a0`), keyOf(one))
        }),
      )
    })
    test('ignores characters that nobody sees', () => {
      fc.assert(
        fc.property(withInvisible, ([text, marked]) => assert.equal(keyOf(marked), keyOf(text))),
      )
    })
  })
}

test('a key is its own key', () => {
  fc.assert(
    fc.property(texts, (text) => {
      assert.equal(textKey(textKey(text)), textKey(text))
      assert.equal(accountKey(accountKey(text)), accountKey(text))
      assert.equal(accountKey(accountKey(address(text))), accountKey(address(text)))
    }),
  )
})

test('a sort key ignores accents and puts numbers by value', () => {
  fc.assert(
    fc.property(letters, fc.nat(), fc.nat(), (text, one, other) => {
      assert.equal(sortKey(`${text}e\u0301`), sortKey(`${text}e`))
      const [first, second] = [sortKey(`a ${one} ${text}`), sortKey(`a ${other}`)]
      if (one !== other) assert.equal(first < second, one < other)
    }),
  )
})

test('a domain is the same in Unicode and in ASCII', () => {
  const pairs = [
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'Bu\u0308cher.EXAMPLE'],
    ['例え.jp', 'xn--r8jz45g.jp'],
  ] as const
  for (const [one, other] of pairs) assert.equal(accountKey(`a@${one}`), accountKey(`A@${other}`))
  assert.notEqual(accountKey('a@straße.de'), accountKey('a@strasse.de'))
})

test('letters that only share their upper case are different mailboxes', () => {
  assert.equal(accountKey('ADA@example.com'), 'ada@example.com')
  assert.equal(accountKey('ｖIC@example.com'), 'vic@example.com')
  for (const name of ['vıc', 'straße', 'νικοσ']) {
    const other = name.toUpperCase().toLowerCase().replace('ß', 'ss')
    assert.notEqual(accountKey(`${name}@example.com`), accountKey(`${other}@example.com`))
  }
})
