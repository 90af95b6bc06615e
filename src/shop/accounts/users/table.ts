import type { Selectable } from 'kysely'
import { nullable } from '#schema/words.ts'
import {
  type ColumnsOf,
  columnDefault,
  follows,
  integer,
  nullableSortColumn,
  removable,
  sortColumn,
  text,
  textOf,
} from '#store/columns.ts'
import { type CountColumns, counter } from '#store/counter.ts'
import { table } from '#store/table.ts'
import type { Tables } from '#store/tables.ts'
import { accountKey } from '#values/account-key.ts'
import { phoneKey } from '#values/phone-key.ts'

/** The counts from which the list of users reads its length; age -1 counts every age. */
const userCounts = counter({
  table: 'users',
  countTable: 'user_counts',
  key: { role: 'text', status: 'text', age: 'integer' },
  where: (row) => `${row}.deleted_at is null`,
  columns: ['role', 'status', 'age', 'deleted_at'],
  counters: [
    { key: (row) => [`${row}.role`, `${row}.status`, '-1'] },
    {
      key: (row) => [`${row}.role`, `${row}.status`, `${row}.age`],
      where: (row) => `${row}.age is not null`,
    },
  ],
})

/** What is stored for Digest authentication, encrypted. */
export const digestColumn = {
  column: 'digest_secret',
  purpose: 'digest-secret',
  boundTo: ({ username }: { readonly username: string | null }) => username ?? '',
} as const

/** The form in which a username or e-mail address is unique; null for none. */
export const keyOfName = (name: string | null): string | null =>
  name === null ? null : accountKey(name)

/** Users; `email_key` and `username_key` are the unique forms made by `accountKey`. */
export const users = table('users', {
  columns: {
    ...removable,
    name: text,
    name_sort: sortColumn('name'),
    email: nullable(text),
    email_key: follows(nullable(text), 'email', keyOfName),
    email_sort: nullableSortColumn('email'),
    /** 1 if the user has confirmed the address, else 0. */
    email_verified: columnDefault(integer, 0),
    /** The network that gave the address, while it is not confirmed; null if an administrator or the server did. */
    email_network: nullable(text),
    /** When a mail to confirm the address was last written; null if the address still needs one. */
    confirmation_mailed_at: nullable(integer),
    age: nullable(integer),
    username: nullable(text),
    username_key: follows(nullable(text), 'username', keyOfName),
    password_hash: nullable(text),
    digest_secret: nullable(text),
    role: columnDefault(textOf<'customer' | 'guest' | 'admin'>(), 'customer'),
    status: columnDefault(textOf<'active' | 'suspended'>(), 'active'),
    language: columnDefault(textOf<'en' | 'zh' | 'es' | 'fr' | 'de'>(), 'en'),
    external_id: nullable(text),
    phone: nullable(text),
    phone_key: follows(nullable(text), 'phone', phoneKey),
    /** When a guest is erased unless there are orders for which to be kept; null for any other user. */
    guest_until: nullable(integer),
  },
  unique: [
    'email_key where email_key is not null',
    'username_key where username_key is not null',
    'external_id where external_id is not null',
  ],
  indexes: [
    'name_sort, id where deleted_at is null',
    'role, name_sort, id where deleted_at is null',
    'status, name_sort, id where deleted_at is null',
    'email_sort nulls first, id where deleted_at is null',
    'role, email_sort nulls first, id where deleted_at is null',
    'status, email_sort nulls first, id where deleted_at is null',
    'age nulls first, id where deleted_at is null',
    'age, name_sort, id where deleted_at is null',
    'age, email_sort nulls first, id where deleted_at is null',
    'age, created_at, id where deleted_at is null',
    'age, updated_at, id where deleted_at is null',
    'role, age nulls first, id where deleted_at is null',
    'status, age nulls first, id where deleted_at is null',
    'created_at, id where deleted_at is null',
    'role, created_at, id where deleted_at is null',
    'status, created_at, id where deleted_at is null',
    'updated_at, id where deleted_at is null',
    'role, updated_at, id where deleted_at is null',
    'status, updated_at, id where deleted_at is null',
    'role, id where deleted_at is null',
    'status, id where deleted_at is null',
    'guest_until where guest_until is not null',
    'phone_key, id where phone_key is not null',
  ],
  checks: {
    username_own_address: `username_key is null or username_key not like '%@%'
      or (email_key is not null and email_key = username_key)`,
  },
  counters: [userCounts],
  owner: { column: 'id', whenErased: 'own' },
  encrypted: [digestColumn],
  kept: 'own',
})

/** The words by whose beginnings administrators find users. */
export const userWords = table('user_words', {
  columns: {
    word: text,
    user_id: integer,
  },
  key: ['word', 'user_id'],
  indexes: ['user_id, word'],
  owner: { column: 'user_id', whenErased: 'delete' },
  encrypted: [],
  kept: 'own',
})

declare module '#store/tables.ts' {
  interface Tables {
    user_words: ColumnsOf<(typeof userWords)['schemas']>
    user_counts: CountColumns<typeof userCounts>
    users: ColumnsOf<(typeof users)['schemas']>
  }
}

/** A row of `users`; a removed user has `deleted_at` and no personal data. */
export type UserRow = Selectable<Tables['users']>
