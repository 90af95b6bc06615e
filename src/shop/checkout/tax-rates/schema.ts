import { Type } from 'typebox'
import {
  Country,
  Id,
  mergePatch,
  nullable,
  requestBody,
  timestamps,
  type ValueOf,
} from '#schema/words.ts'

/** A percentage as decimal text. */
export const Percent = (description: string, example: string) =>
  Type.String({
    pattern: '^(100(\\.0{1,4})?|[0-9]{1,2}(\\.[0-9]{1,4})?)$',
    maxLength: 8,
    description,
    examples: [example],
  })

const fields = {
  country: Country('The country that the order is sent to, as an ISO 3166-1 alpha-2 code.'),
  region: nullable(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The region of the address, regardless of case; null for all regions.',
      examples: ['NY'],
    }),
  ),
  category: nullable(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The category of products; null for all, and for shipping.',
      examples: ['books'],
    }),
  ),
  rate: Percent('The rate in percent, as decimal text.', '19'),
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The name of the tax.',
    examples: ['VAT'],
  }),
}

/** A tax rate in responses. */
export const TaxRate = Type.Object({ id: Id(), ...fields, ...timestamps })

/** The body of POST and PUT. */
export const TaxRateBody = requestBody(
  {
    country: fields.country,
    region: Type.Optional(fields.region),
    category: Type.Optional(fields.category),
    rate: fields.rate,
    name: fields.name,
  },
  TaxRate,
)
export type TaxRateBody = ValueOf<typeof TaxRateBody>

/** The body of PATCH. */
export const TaxRatePatch = mergePatch(TaxRateBody)

/** The filters of the list. */
export const TaxRateFilters = Type.Object({
  country: Type.Optional(Country('Only rates of this country.')),
  category: Type.Optional(Type.String({ description: 'Only rates of this category.' })),
})
export type TaxRateFilters = ValueOf<typeof TaxRateFilters>
