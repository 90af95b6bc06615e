import { Type } from 'typebox'
import { Country, Id, nullable } from '#schema/words.ts'
import type { ColumnsOf, Row } from '#store/columns.ts'
import { entity } from '#store/entity.ts'
import { contactFields } from './contact.ts'
import { regionDescription } from './region.ts'

const text = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, description, examples: [example] })

/** The saved addresses of users; one of a user is the default. */
export const addresses = entity('addresses', {
  name: 'address',
  description: 'An address that a user has saved.',
  fields: {
    recipient: text(200, 'Name of the recipient.', 'Ada Lovelace'),
    line1: text(200, 'Street and number.', '12 St James’s Square'),
    line2: nullable(text(200, 'Apartment, floor or other details.', 'Second floor')),
    city: text(200, 'City or town.', 'London'),
    region: nullable(text(200, regionDescription, 'Greater London')),
    postal_code: nullable(
      text(20, 'In the format of the country; required where addresses need one.', 'SW1Y 4JH'),
    ),
    country: Country('ISO 3166-1 alpha-2 code.'),
    ...contactFields,
  },
  shown: {
    is_default: Type.Boolean({
      description: 'True for one address of a user: the first, until another is made the default.',
      examples: [true],
    }),
  },
  columns: { user_id: Id('The user whose address it is.') },
  deletes: true,
  unique: ['user_id where is_default = 1'],
  indexes: ['user_id, id'],
  owner: { column: 'user_id', whenErased: 'delete', whenMerged: 'own' },
  encrypted: [],
  kept: 'forever',
})

declare module '#store/tables.ts' {
  interface Tables {
    addresses: ColumnsOf<(typeof addresses)['schemas']>
  }
}

/** A saved address. */
export type Address = Row<(typeof addresses)['schemas']>
