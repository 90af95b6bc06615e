import { Type } from 'typebox'
import { requestBody, type ValueOf } from '#schema/words.ts'
import { Tokens } from '#shop/access/sessions/schema.ts'
import { User } from '#shop/accounts/users/schema.ts'

const { name, email } = User.properties

/** The response to a new guest: tokens; the guest is embedded as `user`. */
export const Guest = Type.Object(Tokens.properties)

/** The body of POST. */
export const GuestBody = requestBody(
  {
    name: Type.Optional(name),
    email: Type.Optional(email),
  },
  Type.Object({ ...Tokens.properties, user: Type.Object({}) }),
)
export type GuestBody = ValueOf<typeof GuestBody>
