import { Type } from 'typebox'
import type { ValueOf } from '#http/declare/schema.ts'
import { Password } from '#resources/users/schema.ts'

/** The body of POST. */
export const ResetRequestBody = Type.Object(
  {
    email: Type.String({
      maxLength: 320,
      format: 'email',
      description: 'The address of the account.',
      examples: ['ada@example.com'],
    }),
  },
  { additionalProperties: false },
)

/** The body of PUT. */
export const NewPassword = Type.Object({ password: Password }, { additionalProperties: false })
export type NewPassword = ValueOf<typeof NewPassword>
