import { FoundByWords } from '#store/search/found-by-words.ts'
import { type UserRow, users, userWords } from './table.ts'

type SearchedUser = Pick<UserRow, 'id' | 'name' | 'username' | 'email'>

/** Users, who are found by what they are called. */
export const usersByWords = new FoundByWords<SearchedUser>({
  found: users,
  words: userWords,
  textsOf: ({ name, username, email }) => [name, username, email],
})

/** True where words of a user may have changed. */
export const isCalledOtherwise = (before: SearchedUser, after: SearchedUser): boolean =>
  before.name !== after.name || before.username !== after.username || before.email !== after.email
