import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRegion, nearestRegion } from './regions.ts'

for (const [country, text, code] of [
  ['US', 'NY', 'NY'],
  ['US', 'us-ny', 'NY'],
  ['US', ' New york ', 'NY'],
  ['US', 'D.C.', 'DC'],
  ['US', 'AE', 'AE'],
  ['CA', 'Quebec', 'QC'],
  ['CA', 'Colombie-Britannique', 'BC'],
  ['AU', 'New South Wales', 'NSW'],
  ['BR', 'sao paulo', 'SP'],
  ['MX', 'Ciudad de México', 'CMX'],
  ['MX', 'MX-CMX', 'CMX'],
  ['IN', 'Maharashtra', 'MH'],
  ['IN', 'महाराष्ट्र', 'MH'],
  ['IN', 'CT', 'CG'],
  ['IT', 'Milan', 'MI'],
  ['IT', 'Milano', 'MI'],
  ['IT', 'Lombardia', '25'],
  ['ES', 'Madrid', 'M'],
  ['ES', 'malaga', 'MA'],
  ['JP', 'Tokyo', '13'],
  ['JP', 'Tōkyō', '13'],
  ['JP', '東京都', '13'],
  ['JP', 'JP-27', '27'],
  ['CN', '北京', 'BJ'],
  ['CN', 'Guangdong', 'GD'],
  ['AR', 'Buenos Aires', 'B'],
  ['AR', 'CABA', 'C'],
  ['MY', 'Johor', '01'],
  ['AE', 'Dubai', 'DU'],
  ['AE', 'دبي', 'DU'],
  ['ID', 'Jawa Barat', 'JB'],
  ['ID', 'Bali', 'BA'],
  ['US', 'constructor', undefined],
  ['DE', 'Bayern', undefined],
  ['__proto__', 'x', undefined],
] as const) {
  test(`${text} is ${code} in ${country}`, () => {
    assert.equal(findRegion(country, text)?.code, code)
  })
}

for (const [country, text, code] of [
  ['US', 'Nwe York', 'NY'],
  ['US', 'Californa', 'CA'],
  ['CA', 'Ontaria', 'ON'],
  ['JP', 'Tokio', '13'],
  ['DE', 'Bayrn', undefined],
] as const) {
  test(`${code} is nearest to ${text} in ${country}`, () => {
    assert.equal(nearestRegion(country, text)?.code, code)
  })
}
