import { Type } from 'typebox'
import { timestamps } from '#schema/words.ts'
import { User } from '#shop/accounts/users/schema.ts'

const { username, id, name, email, role } = User.properties

/** The user who is calling, and the scopes of the credential. */
export const Profile = Type.Object({
  username,
  id,
  name,
  email,
  role,
  scope: Type.String({
    description: 'The scopes of this credential, separated by spaces.',
    examples: ['orders:read orders:write'],
  }),
  ...timestamps,
})
