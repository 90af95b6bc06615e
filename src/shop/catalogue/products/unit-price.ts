import { Type } from 'typebox'
import { Money, nullable, stringEnum, type ValueOf } from '#schema/words.ts'
import type { Minor } from '#values/money.ts'

const quantity = Type.String({
  maxLength: 10,
  pattern: '^([1-9]\\d{0,5}(\\.\\d{1,3})?|0\\.([1-9]\\d{0,2}|0[1-9]\\d?|00[1-9]))$',
  description: 'How many units, as decimal text.',
  examples: ['0.75'],
})
const unit = stringEnum(['g', 'kg', 'ml', 'l', 'm', 'm2', 'piece'], {
  description: 'The unit.',
  examples: ['l'],
})
type Unit = ValueOf<typeof unit>

const description = 'How much one unit of the product holds.'

/** How much one unit of a product holds. */
export const UnitMeasure = Type.Object(
  { quantity, unit },
  { description, additionalProperties: false, component: 'UnitMeasure' },
)
export type UnitMeasure = ValueOf<typeof UnitMeasure>

/** A change of it. */
export const UnitMeasurePatch = Type.Object(
  { quantity: Type.Optional(quantity), unit: Type.Optional(unit) },
  { description, additionalProperties: false },
)

/** The price by measure in responses. */
export const UnitPrice = nullable(
  Type.Object(
    {
      amount: Money({ description: 'The price of as much as `per` says.' }),
      per: Type.String({ description: 'One unit of measure.', examples: ['1 l'] }),
    },
    { description: 'The price by measure; null without `unit_measure`.', component: 'UnitPrice' },
  ),
)

/** The unit of which a price is told, and how many of a unit it has. */
const perUnit: Readonly<Record<Unit, readonly [per: Unit, parts: bigint]>> = {
  g: ['kg', 1000n],
  kg: ['kg', 1n],
  ml: ['l', 1000n],
  l: ['l', 1n],
  m: ['m', 1n],
  m2: ['m2', 1n],
  piece: ['piece', 1n],
}

const decimals = 3

/** Returns the price by measure, rounded half up; null where it is larger than any amount. */
export function unitPriceOf(
  price: Minor,
  { quantity: text, unit: given }: UnitMeasure,
): ValueOf<typeof UnitPrice> {
  const [whole = '', fraction = ''] = text.split('.')
  const thousandths = BigInt(whole + fraction.padEnd(decimals, '0'))
  const [per, parts] = perUnit[given]
  const scaled = 2n * BigInt(price) * parts * 10n ** BigInt(decimals)
  const amount = (scaled + thousandths) / (2n * thousandths)
  return amount > Number.MAX_SAFE_INTEGER ? null : { amount: Number(amount), per: `1 ${per}` }
}
