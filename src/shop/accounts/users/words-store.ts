import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '#store/database.ts'
import { idInQuery } from '#store/query/dialect.ts'
import { rangesOfQuery, type WordRange, wordsToBeginWith } from '#store/search/beginnings.ts'
import { type UserRow, userWords } from './table.ts'

type SearchedUser = Pick<UserRow, 'id' | 'name' | 'username' | 'email'>

const wordsOf = ({ name, username, email }: SearchedUser): readonly string[] =>
  wordsToBeginWith([name, username, email])

/** The rows of the words of a user. */
export const wordRowsOf = (user: SearchedUser) =>
  wordsOf(user).map((word) => ({ word, user_id: user.id }))

/** Makes a search find a new user. */
export const insertUserWords = (db: Db, user: SearchedUser): Promise<void> =>
  userWords.insertAll(db, wordRowsOf(user))

/** Makes a search find a user by what it is called now. */
export async function replaceUserWords(db: Db, user: SearchedUser): Promise<void> {
  const stored = new Set(
    (await userWords.findAll(db, { user_id: user.id })).map(({ word }) => word),
  )
  const words = new Set(wordsOf(user))
  const gone = [...stored.difference(words)]
  if (gone.length > 0) await userWords.delete(db, { user_id: user.id, word: gone })
  const added = [...words.difference(stored)]
  await userWords.insertAll(
    db,
    added.map((word) => ({ word, user_id: user.id })),
  )
}

/** True where words of a user may have changed. */
export const isCalledOtherwise = (before: SearchedUser, after: SearchedUser): boolean =>
  before.name !== after.name || before.username !== after.username || before.email !== after.email

/**
 * The conditions that a user has words that begin with each word of a search; without any, none has. Few users are found
 * by its longest word. Whether a user has the others, or of `isMany` in the order of the list all, is looked up for each,
 * which PostgreSQL does not undo for the offset.
 */
export function conditionsOfSearch(
  db: Db,
  query: string,
  isMany: boolean,
): readonly Expression<SqlBool>[] {
  const words = rangesOfQuery(query).toSorted((one, other) => lengthOf(other) - lengthOf(one))
  if (words.length === 0) return [sql<SqlBool>`1 = 0`]
  return words.map((ranges, at) => {
    const ofWord = ranges.map(({ from, before }) => sql`(word >= ${from} and word < ${before})`)
    const isFound = sql`(${sql.join(ofWord, sql` or `)})`
    return at === 0 && !isMany
      ? idInQuery(db, 'users.id', sql`(select user_id from user_words where ${isFound})`)
      : sql<SqlBool>`exists (
          select 1 from user_words where user_id = users.id and ${isFound} limit 1 offset 0)`
  })
}

const lengthOf = ([range]: readonly WordRange[]): number => range?.from.length ?? 0
