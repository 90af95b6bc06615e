import { Type } from 'typebox'
import { Moment, nullable, oneOf, stamps, type ValueOf, writable } from '#http/declare/schema.ts'

const reason = nullable(
  Type.String({
    maxLength: 2000,
    description: 'Why the user leaves, in words; erased with the rest.',
    examples: ['I buy elsewhere now.'],
  }),
)

/** That a user has asked to be erased. */
export const Erasure = Type.Object({
  status: oneOf(['scheduled'], { description: 'What has become of the request.' }),
  erase_at: Moment({ description: 'When account and data are erased; withdrawn until then.' }),
  reason,
  ...stamps,
})

/** What a user asks by to be erased. */
export const ErasureBody = writable(
  {
    password: Type.Optional(
      Type.String({
        writeOnly: true,
        description: 'To be sure that it is the user; a wrong one is refused.',
        examples: ['correct horse battery staple'],
      }),
    ),
    reason: Type.Optional(reason),
  },
  Erasure,
)
export type ErasureBody = ValueOf<typeof ErasureBody>
