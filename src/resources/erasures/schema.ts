import { Type } from 'typebox'
import { Moment, nullable, oneOf, stamps, type ValueOf, writable } from '#http/declare/schema.ts'

const reason = nullable(
  Type.String({
    maxLength: 2000,
    description: 'The reason for leaving; erased with the account.',
    examples: ['I buy elsewhere now.'],
  }),
)

/** A scheduled erasure of a user. */
export const Erasure = Type.Object({
  status: oneOf(['scheduled'], { description: 'The state of the request.' }),
  erase_at: Moment({
    description: 'When account and data are erased; the request can be withdrawn until then.',
  }),
  reason,
  ...stamps,
})

/** The body of POST. */
export const ErasureBody = writable(
  {
    password: Type.Optional(
      Type.String({
        writeOnly: true,
        description: 'Confirms the identity of the user; a wrong password is refused with 403.',
        examples: ['correct horse battery staple'],
      }),
    ),
    reason: Type.Optional(reason),
  },
  Erasure,
)
export type ErasureBody = ValueOf<typeof ErasureBody>
