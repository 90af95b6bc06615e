import type { Generated } from 'kysely'

/** The columns of `users`; `email_key` and `username_key` are the unique forms made by `accountKey`. */
export interface UserTable {
  id: Generated<number>
  name: string
  email: string | null
  email_key: string | null
  /** 1 if the user has confirmed the address, else 0. */
  email_verified: Generated<number>
  /** When a mail to confirm the address was last written; null if the address still needs one. */
  confirmation_mailed_at: number | null
  age: number | null
  username: string | null
  username_key: string | null
  password_hash: string | null
  digest_secret: string | null
  role: Generated<'customer' | 'guest' | 'admin'>
  status: Generated<'active' | 'suspended'>
  language: Generated<'en' | 'zh' | 'es' | 'fr' | 'de'>
  /** When a guest is erased unless there is an order by then; null for any other user. */
  guest_until: number | null
  revision: Generated<number>
  created_at: number
  updated_at: number
  deleted_at: number | null
}

/**
 * The columns of `sessions`: a sign-in. Its refresh tokens share its `family` and are valid until it ends.
 * The family of an OAuth browser session is the hash of its id, and the hash of the sign-in
 * page's id until the session begins.
 */
export interface SessionTable {
  id: Generated<number>
  user_id: number
  session_kind: Generated<'token' | 'browser'>
  family: string
  /** The network address of the last sign-in or renewal. */
  address: string | null
  ended_at: number | null
  expires_at: number
  revision: Generated<number>
  created_at: number
  updated_at: number
}

/** The columns of `refresh_tokens`; only the token's hash is stored. */
export interface RefreshTokenTable {
  token_hash: string
  family: string
  user_id: number
  expires_at: number
  used_at: number | null
  created_at: number
}

/**
 * The columns of `erasures`: when a user is to be erased, was erased, and when the last remnants outside
 * the tables were removed (`settled_at`).
 */
export interface ErasureTable {
  user_id: number
  reason: string | null
  erase_at: number
  erased_at: number | null
  settled_at: number | null
  created_at: number
}

/** The columns of `addresses`: one of a user has `is_default` 1, the others 0. */
export interface AddressTable {
  id: Generated<number>
  user_id: number
  recipient: string
  line1: string
  line2: string | null
  city: string
  region: string | null
  postal_code: string
  country: string
  phone: string | null
  is_default: number
  revision: Generated<number>
  created_at: number
  updated_at: number
}
