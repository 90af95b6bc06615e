import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stemsOf } from './stems.ts'

const pairs = `knife knives, shelf shelves, box boxes, child children, battery batteries, glass glasses, bottle bottles,
  glas glaser, buch bucher, kuhlschrank kuhlschranke, flasche flaschen, schuh schuhe, haus hauser, topf topfe,
  weinglas weinglaeser, topf toepfe, buch buecher, maus maeuse, wald waeldern, stuhl stuehle, fuss fuesse,
  cheval chevaux, gateau gateaux, bijou bijoux, chaussure chaussures, vert verte, travail travaux,
  camion camiones, luz luces, lampara lamparas, reloj relojes, nino ninos, tshirt tshirts, camera cameras`

for (const pair of pairs.split(',')) {
  const [singular = '', plural = ''] = pair.trim().split(' ')
  test(`${plural} has a stem of ${singular}`, () => {
    const shared = new Set(stemsOf(singular)).intersection(new Set(stemsOf(plural)))
    assert.notEqual(shared.size, 0)
  })
}

test('a word has few stems, none of them much shorter, and another script has none', () => {
  for (const word of ['cameras', 'generations', 'kitchst', 'internationalement', 'running']) {
    const stems = stemsOf(word)
    assert.ok(stems.length > 0 && stems.length <= 4)
    for (const stem of stems) {
      assert.ok(word.length - stem.length <= 3 && stem[0] === word[0], stem)
    }
  }
  for (const word of ['28cm', 'чайники', '主', 'tv']) assert.deepEqual(stemsOf(word), [word])
})
