import { type TObject, Type } from 'typebox'
import type { VersionChange, VersionedBody } from '#http/declare/resource.ts'
import { createMessage } from '#i18n/message.ts'
import { mergePatch, resettable } from '#schema/words.ts'
import { fieldProblem } from '#values/problem.ts'
import { defaultAvailability } from './fields.ts'
import { Product, ProductBody, ProductPatch, VariantBody } from './schema.ts'

const { availability: status, stock } = Product.properties
const component = 'Availability'
const description = 'Whether the product can be bought, and the units in stock.'

const responseSchema = Type.Object({ status, stock }, { component, description })
const bodySchema = Type.Object(
  { status, stock: Type.Optional(stock) },
  { additionalProperties: false, component, description },
)

// Null resets the status only: the stock is also a field of the product itself.
const patchSchema = resettable(mergePatch(bodySchema), { status: defaultAvailability })

interface Availability {
  readonly status?: string
  readonly stock?: number | null
}

/** The fields of a product as the first version has them. */
interface FirstVersion {
  readonly availability: string
  readonly stock: number | null
}

const present = (product: object): object => {
  const { availability, stock } = product as FirstVersion
  return { ...product, availability: { status: availability, stock } }
}

/** Converts a body to the first version. Throws 422/4221 when it has two different stocks. */
function convertBody(body: unknown): unknown {
  const { availability, ...rest } = body as {
    readonly availability?: Availability
    readonly stock?: number | null
  }
  if (availability === undefined) return rest
  const { status, stock = rest.stock } = availability
  if (rest.stock !== undefined && stock !== rest.stock) {
    throw fieldProblem([{ field: 'availability.stock', message: createMessage('field.stock') }])
  }
  return {
    ...rest,
    ...(status === undefined ? {} : { availability: status }),
    ...(stock === undefined ? {} : { stock }),
  }
}

const withAvailability = (schema: TObject, availability: TObject, optional: boolean): TObject => ({
  ...schema,
  properties: {
    ...schema.properties,
    availability: optional ? Type.Optional(availability) : availability,
  },
})

/** Version 2 of a product: its availability is an object of status and stock. */
export const productVersions: Readonly<Record<number, VersionChange>> = {
  2: {
    schema: withAvailability(Product, responseSchema, false),
    present,
    bodies: new Map<TObject, VersionedBody>([
      [ProductBody, { schema: withAvailability(ProductBody, bodySchema, true), convertBody }],
      [VariantBody, { schema: withAvailability(VariantBody, bodySchema, true), convertBody }],
      [ProductPatch, { schema: withAvailability(ProductPatch, patchSchema, true), convertBody }],
    ]),
  },
}
