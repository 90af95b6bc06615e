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

/** The number of addresses of a user from which on no further one can be added. */
export const maxAddresses = 50
/** The maximum number of addresses of a user who takes over those of a guest. */
export const maxMergedAddresses = 2 * maxAddresses

const text = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, description, examples: [example] })

const fields = {
  recipient: text(200, 'Name of the recipient.', 'Ada Lovelace'),
  line1: text(200, 'Street and number.', '12 St James’s Square'),
  line2: nullable(text(200, 'Apartment, floor or other details.', 'Second floor')),
  city: text(200, 'City or town.', 'London'),
  region: nullable(text(200, 'State, province or county.', 'Greater London')),
  postal_code: text(20, 'In the format of the country.', 'SW1Y 4JH'),
  country: Country('ISO 3166-1 alpha-2 code.'),
  phone: nullable(text(50, 'Phone number for the carrier.', '+44 20 7946 0000')),
  is_default: Type.Boolean({
    description: 'True for one address of a user: the first, until another is made the default.',
    examples: [true],
  }),
}

/** A saved address of a user. */
export const SavedAddress = Type.Object({
  id: Id(),
  user_id: Id('The user whose address it is.'),
  ...fields,
  ...timestamps,
})

/** The body of POST and PUT; without `is_default`, the default stays. */
export const AddressBody = requestBody(
  {
    ...fields,
    line2: Type.Optional(fields.line2),
    region: Type.Optional(fields.region),
    phone: Type.Optional(fields.phone),
    is_default: Type.Optional(fields.is_default),
  },
  SavedAddress,
)
export type AddressBody = ValueOf<typeof AddressBody>

/** The body of PATCH. */
export const AddressPatch = mergePatch(AddressBody)
export type AddressPatch = ValueOf<typeof AddressPatch>
