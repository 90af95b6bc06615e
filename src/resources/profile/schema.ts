import { stamps } from '#kernel/schema.ts'
import { Type } from '#kernel/type.ts'
import { User } from '../users/schema.ts'

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
