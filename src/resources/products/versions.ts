import { type TObject, Type } from 'typebox'
import type { VersionChange } from '#http/declare/resource.ts'
import { patchOf, removable } from '#http/declare/schema.ts'
import { createMessage } from '#i18n/message.ts'
import { fieldProblem } from '#values/problem.ts'
import { defaultAvailability, Product, ProductBody, ProductPatch } from './schema.ts'

const { availability: status, stock } = Product.properties
const description = 'Whether it can be bought, and how many pieces are left.'

const told = Type.Object({ status, stock }, { description })
const sent = Type.Object(
  { status, stock: Type.Optional(stock) },
  { additionalProperties: false, description },
)

/** The stock stands beside it as well, and stays when the word goes. */
const changed = removable(patchOf(sent), { status: defaultAvailability })

interface Availability {
  readonly status?: string
  readonly stock?: number | null
}

/** A product with its availability as a word. */
interface WithWord {
  readonly availability: string
  readonly stock: number | null
}

const present = (product: object): object => {
  const { availability, stock: left } = product as WithWord
  return { ...product, availability: { status: availability, stock: left } }
}

/** Makes a body of the first version; 4221 where it tells two different stocks. */
function accept(body: unknown): unknown {
  const { availability, ...rest } = body as {
    readonly availability?: Availability
    readonly stock?: number | null
  }
  if (availability === undefined) return rest
  const { status: word, stock: left = rest.stock } = availability
  if (rest.stock !== undefined && left !== rest.stock) {
    throw fieldProblem([{ field: 'availability.stock', message: createMessage('field.stock') }])
  }
  return {
    ...rest,
    ...(word === undefined ? {} : { availability: word }),
    ...(left === undefined ? {} : { stock: left }),
  }
}

const withAvailability = (schema: TObject, availability: TObject, optional: boolean): TObject => ({
  ...schema,
  properties: {
    ...schema.properties,
    availability: optional ? Type.Optional(availability) : availability,
  },
})

/** From the second version on, the availability of a product is an object. */
export const productVersions: Readonly<Record<number, VersionChange>> = {
  2: {
    schema: withAvailability(Product, told, false),
    present,
    bodies: new Map([
      [ProductBody, { schema: withAvailability(ProductBody, sent, true), accept }],
      [ProductPatch, { schema: withAvailability(ProductPatch, changed, true), accept }],
    ]),
  },
}
