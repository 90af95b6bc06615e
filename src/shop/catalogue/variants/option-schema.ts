import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'
import { maxOptions, optionValue } from '#shop/catalogue/products/fields.ts'
import { valueNames } from '#shop/catalogue/products/named-values.ts'

/** The options of a parent. */
export const OptionList = Type.Array(
  Type.Object(
    {
      name: Type.String({ description: 'The name.', examples: ['Size'] }),
      values: Type.Array(Type.String(), {
        description: 'Its values in their order, at most 100.',
        examples: [['S', 'M']],
      }),
    },
    { component: 'ListedOption' },
  ),
  { description: 'Of a product with variants: the options in which these differ.' },
)

const optionName = Type.String({ ...valueNames, description: 'The name.', examples: ['Size'] })
const described = (description: string) => ({ ...optionValue, description })

/** A change of the options of a parent, for all its variants. */
export const OptionChanges = Type.Array(
  Type.Object(
    {
      name: optionName,
      from: Type.Optional(optionName),
      values: Type.Optional(
        Type.Array(
          Type.Union([
            optionValue,
            Type.Object(
              {
                value: described('The value.'),
                from: Type.Optional(described('The value that it replaces.')),
              },
              { additionalProperties: false },
            ),
          ]),
          {
            maxItems: 100,
            description:
              'The values in their order, each as a text or with the value that it replaces; others stay.',
          },
        ),
      ),
    },
    { additionalProperties: false, component: 'OptionChange' },
  ),
  {
    minItems: 1,
    maxItems: maxOptions,
    component: 'OptionChanges',
    description:
      'Of a product with variants: its options, for all of these at once. `from` is the name or value before; an option that is left out goes, and variants get the first value of a new one.',
  },
)

/** The options of a variant, or a list of those of its parent. */
export const orList = <O extends TSchema, L extends TSchema>(ofVariant: O, list: L) => {
  const { anyOf } = ofVariant as unknown as { readonly anyOf: readonly TSchema[] }
  const description = 'Of a variant its values; of a product with variants a list.'
  return { anyOf: [list, ...anyOf], description } as unknown as TUnsafe<Static<O> | Static<L>>
}
