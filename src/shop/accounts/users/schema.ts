import { Type } from 'typebox'
import { type Language, languages } from '#i18n/languages.ts'
import {
  EmailAddress,
  Id,
  listOf,
  mergePatch,
  nullable,
  protectedField,
  requestBody,
  stringEnum,
  timestamps,
  type ValueOf,
} from '#schema/words.ts'

/** The pattern of a username: no control characters, and no colon (RFC 7617 section 2). */
export const usernamePattern = '^[^:\\x00-\\x1f\\x7f-\\x9f]+$'

const tags = Object.keys(languages) as readonly Language[]

const fields = {
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The display name.',
    examples: ['Ada Lovelace', 'Grace Hopper'],
  }),
  email: nullable(EmailAddress('Unique, ignoring case, except for guests.')),
  age: nullable(
    Type.Integer({ minimum: 0, maximum: 150, description: 'In years.', examples: [36] }),
  ),
  username: nullable(
    Type.String({
      minLength: 1,
      maxLength: 320,
      pattern: usernamePattern,
      description:
        'The name to sign in with; unique, ignoring case; the email by default. It contains @ only as the email of the account, and then changes with it.',
      examples: ['ada'],
    }),
  ),
  role: stringEnum(['customer', 'guest', 'admin'], {
    description:
      'Only an administrator signed in with a password can set it. A guest who sets one becomes a customer.',
  }),
  status: stringEnum(['active', 'suspended'], {
    description:
      'Only an administrator signed in with a password can set it; a suspended user cannot sign in.',
  }),
  language: stringEnum(tags, {
    description:
      'The language of mails to the user; that of Accept-Language at sign-up by default.',
  }),
  phone: nullable(
    Type.String({
      minLength: 1,
      maxLength: 50,
      description: 'The telephone number; several users may have it.',
      examples: ['+44 20 7946 0000'],
    }),
  ),
  external_id: nullable(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'The ID of the user in another system; unique. Only an administrator can set it; a PUT without it keeps it.',
      examples: ['CRM-4711'],
    }),
  ),
}

/** A user of the shop. */
export const User = Type.Object({
  id: Id('Identifies the user.'),
  ...fields,
  email_verified: Type.Boolean({
    description: 'Whether the user has confirmed the email; a new email is not confirmed.',
  }),
  ...timestamps,
})

/** The least number of characters of a password, blanks not counted. */
export const minPasswordLength = 8

/** A new password. */
export const Password = Type.String({
  minLength: minPasswordLength,
  maxLength: 256,
  writeOnly: true,
  description: 'Never part of a response.',
  examples: ['correct horse battery staple'],
})

/** Says when a body must hold the password of the caller. */
export const freshHint = 'Your own; required more than ten minutes after a sign-in.'

/** The password of the caller, which proves again who sends a request. */
export const CurrentPassword = (description: string) =>
  Type.Optional(
    Type.String({
      maxLength: 256,
      writeOnly: true,
      description,
      examples: ['correct horse battery staple'],
    }),
  )

// Control of email, username or password is control of the account.
const body = {
  name: fields.name,
  email: Type.Optional(protectedField(fields.email, 'fresh-sign-in', { clearedByPut: true })),
  age: Type.Optional(fields.age),
  username: Type.Optional(protectedField(fields.username, 'fresh-sign-in')),
  password: Type.Optional(protectedField(Password, 'fresh-sign-in')),
  role: Type.Optional(protectedField(fields.role, 'administrators')),
  status: Type.Optional(protectedField(fields.status, 'administrators')),
  language: Type.Optional(fields.language),
  phone: Type.Optional(fields.phone),
  external_id: Type.Optional(protectedField(fields.external_id, 'administrators-any-credential')),
}
// PUT accepts a body read with `include=data`, and ignores `data`.
const readable = Type.Object({ ...User.properties, data: Type.Object({}) })

/** The body of POST. */
export const NewUser = requestBody(body, readable)
export type NewUser = ValueOf<typeof NewUser>

/** The body of PUT. */
export const UserBody = requestBody(
  {
    ...body,
    current_password: CurrentPassword(
      'Your own; required to change your own username or password, and to change an email, or the username of another user, more than ten minutes after a sign-in.',
    ),
    end_others: Type.Optional(
      Type.Boolean({
        writeOnly: true,
        default: true,
        description:
          'Whether your new password ends your other sessions and the tokens of applications.',
      }),
    ),
  },
  readable,
)
export type UserBody = ValueOf<typeof UserBody>

/** The body of PATCH. */
export const UserPatch = mergePatch(UserBody)
export type UserPatch = ValueOf<typeof UserPatch>

/** The filters of the list of users. */
export const UserFilters = Type.Object({
  role: Type.Optional(listOf(fields.role, 'Only users with this role.')),
  status: Type.Optional(listOf(fields.status, 'Only users with this status.')),
  name: Type.Optional(Type.String({ description: 'Only users with exactly this name.' })),
  email: Type.Optional(
    Type.String({
      description: 'Only the account with this email, ignoring case; guests have none.',
    }),
  ),
  age: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 150, description: 'Only users of this age.' }),
  ),
  external_id: Type.Optional(
    Type.String({ description: 'Only the user with this ID of another system.' }),
  ),
  phone: Type.Optional(
    Type.String({
      maxLength: 50,
      description: 'Only users with this telephone number, however its digits are grouped.',
    }),
  ),
  q: Type.Optional(
    Type.String({
      description:
        'Only users with words that begin with all these, in name, username or email, ignoring case and accents.',
    }),
  ),
})
export type UserFilters = ValueOf<typeof UserFilters>
