import { Id, nullable, oneOf, patchOf, stamps, type ValueOf, writable } from '#kernel/schema.ts'
import { Type } from '#kernel/type.ts'

const fields = {
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'What to call the user.',
    examples: ['Ada Lovelace'],
  }),
  email: nullable(
    Type.String({
      maxLength: 320,
      format: 'email',
      description: 'Unique, whatever the case.',
      examples: ['ada@example.com'],
    }),
  ),
  age: nullable(
    Type.Integer({ minimum: 0, maximum: 150, description: 'In years.', examples: [36] }),
  ),
  username: nullable(
    Type.String({
      minLength: 1,
      maxLength: 320,
      // A colon ends the name where credentials are sent as name:password (RFC 7617 2).
      pattern: '^[^:\\p{Cc}]+$',
      description: 'What to sign in with; unique, whatever the case; the email by default.',
      examples: ['ada'],
    }),
  ),
  role: oneOf(['customer', 'admin'], { description: 'Set by administrators alone.' }),
  status: oneOf(['active', 'suspended'], {
    description: 'Set by administrators alone; who is suspended cannot sign in.',
  }),
}

/** Somebody who uses the shop. */
export const User = Type.Object({ id: Id('Identifies the user.'), ...fields, ...stamps })

/** A whole user, as POST and PUT take it. */
export const UserBody = writable(
  {
    name: fields.name,
    email: Type.Optional(fields.email),
    age: Type.Optional(fields.age),
    username: Type.Optional(fields.username),
    password: Type.Optional(
      Type.String({
        minLength: 8,
        maxLength: 256,
        writeOnly: true,
        description: 'Never shown again.',
        examples: ['correct horse battery staple'],
      }),
    ),
    role: Type.Optional(fields.role),
    status: Type.Optional(fields.status),
  },
  // What was read with all that is held can be sent back.
  Type.Object({ ...User.properties, data: Type.Null() }),
)
export type UserBody = ValueOf<typeof UserBody>

/** Some fields of a user, as PATCH takes them. */
export const UserPatch = patchOf(UserBody)
export type UserPatch = ValueOf<typeof UserPatch>

/** What users can be filtered by. */
export const UserFilters = Type.Object({
  role: Type.Optional(fields.role),
  status: Type.Optional(fields.status),
  name: Type.Optional(Type.String({ description: 'Only users of exactly this name.' })),
  email: Type.Optional(Type.String({ description: 'Only who has this email, in any case.' })),
  age: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 150, description: 'Only users of this age.' }),
  ),
})
export type UserFilters = ValueOf<typeof UserFilters>
