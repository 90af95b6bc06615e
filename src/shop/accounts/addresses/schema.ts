import { Type } from 'typebox'
import { mergePatch, requestBody, type ValueOf } from '#schema/words.ts'
import { addresses } from './table.ts'

/** The number of addresses of a user from which on no further one can be added. */
export const maxAddresses = 50
/** The maximum number of addresses of a user who takes over those of a guest. */
export const maxMergedAddresses = 2 * maxAddresses

const { user_id, is_default } = addresses.schemas
const { id, ...shown } = addresses.schema.properties

/** A saved address of a user. */
export const SavedAddress = Type.Object({ ...(id && { id }), user_id, ...shown })

/** The body of POST and PUT; without `is_default`, the default stays. */
export const AddressBody = requestBody(
  { ...addresses.body.properties, is_default: Type.Optional(is_default) },
  SavedAddress,
)
export type AddressBody = ValueOf<typeof AddressBody>

/** The body of PATCH. */
export const AddressPatch = mergePatch(AddressBody)
export type AddressPatch = ValueOf<typeof AddressPatch>
