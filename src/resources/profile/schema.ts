import { Type } from 'typebox'
import { stamps } from '#http/declare/schema.ts'
import { User } from '#resources/users/schema.ts'

const { username, id, name, email, role } = User.properties

/** Who is calling, and what the credential of the call allows. */
export const Profile = Type.Object({
  username,
  id,
  name,
  email,
  role,
  scope: Type.String({
    description: 'What this credential allows, words between spaces.',
    examples: ['orders:read orders:write'],
  }),
  ...stamps,
})
