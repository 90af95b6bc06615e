import { Type } from 'typebox'
import {
  DateTime,
  nullable,
  requestBody,
  stringEnum,
  timestamps,
  type ValueOf,
} from '#schema/words.ts'
import { CurrentPassword } from '#shop/accounts/users/schema.ts'

const reason = nullable(
  Type.String({
    maxLength: 2000,
    description: 'The reason for leaving; erased with the account.',
    examples: ['I buy elsewhere now.'],
  }),
)

/** A scheduled erasure of a user. */
export const Erasure = Type.Object({
  status: stringEnum(['scheduled'], { description: 'The state of the request.' }),
  erase_at: DateTime({
    description: 'When account and data are erased; the request can be withdrawn until then.',
  }),
  reason,
  ...timestamps,
})

/** The body of POST. */
export const ErasureBody = requestBody(
  {
    password: Type.Optional(
      Type.String({
        writeOnly: true,
        maxLength: 256,
        description: 'Confirms the identity of the user; a wrong password is rejected with 403.',
        examples: ['correct horse battery staple'],
      }),
    ),
    current_password: CurrentPassword('The same as `password`.'),
    reason: Type.Optional(reason),
  },
  Erasure,
)
export type ErasureBody = ValueOf<typeof ErasureBody>
