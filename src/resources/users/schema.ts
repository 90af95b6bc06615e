import { Type } from 'typebox'
import {
  Id,
  nullable,
  oneOf,
  patchOf,
  stamps,
  type ValueOf,
  writable,
} from '#http/declare/schema.ts'
import { protectedField } from '#http/pipeline/middleware/protected-fields.ts'

/** What a username is made of; a colon ends it where name:password is sent (RFC 7617 2). */
export const usernamePattern = '^[^:\\p{Cc}]+$'

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
      pattern: usernamePattern,
      description: 'What to sign in with; unique, whatever the case; the email by default.',
      examples: ['ada'],
    }),
  ),
  role: oneOf(['customer', 'admin'], {
    description: 'Set by administrators who have signed in with their password.',
  }),
  status: oneOf(['active', 'suspended'], {
    description:
      'Set by administrators who have signed in with their password; a suspended user cannot sign in.',
  }),
}

/** Somebody who uses the shop. */
export const User = Type.Object({ id: Id('Identifies the user.'), ...fields, ...stamps })

const password = Type.String({
  minLength: 8,
  maxLength: 256,
  writeOnly: true,
  description: 'Never shown again.',
  examples: ['correct horse battery staple'],
})

// Whoever can set these can do everything that the account may.
const body = {
  name: fields.name,
  email: Type.Optional(protectedField(fields.email, 'full-sign-in', { clearedByPut: true })),
  age: Type.Optional(fields.age),
  username: Type.Optional(protectedField(fields.username, 'full-sign-in')),
  password: Type.Optional(protectedField(password, 'full-sign-in')),
  role: Type.Optional(protectedField(fields.role, 'administrators')),
  status: Type.Optional(protectedField(fields.status, 'administrators')),
}
// What was read with all that is held can be sent back.
const shown = Type.Object({ ...User.properties, data: Type.Null() })

/** A new user, as POST takes it. */
export const NewUser = writable(body, shown)
export type NewUser = ValueOf<typeof NewUser>

/** A whole user, as PUT takes it. */
export const UserBody = writable(
  {
    ...body,
    current_password: Type.Optional(
      Type.String({
        maxLength: 256,
        writeOnly: true,
        description: 'The password so far; required to change your own username or password.',
        examples: ['correct horse battery staple'],
      }),
    ),
  },
  shown,
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
