import { Type } from 'typebox'
import { EmailAddress } from '#schema/words.ts'
import { Password } from '#shop/accounts/users/schema.ts'

/** The body of POST. */
export const ResetRequestBody = Type.Object(
  { email: EmailAddress('The address of the account.') },
  { additionalProperties: false },
)

/** The body of PUT. */
export const NewPassword = Type.Object({ password: Password }, { additionalProperties: false })
