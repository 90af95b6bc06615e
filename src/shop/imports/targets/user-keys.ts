import { createMessage } from '#i18n/message.ts'
import { findAccountsByPhone } from '#shop/accounts/users/store.ts'
import { type UserRow, users } from '#shop/accounts/users/table.ts'
import type { Db } from '#store/database.ts'
import { accountKey } from '#values/account-key.ts'
import { phoneKey } from '#values/phone-key.ts'
import { Problem, problem } from '#values/problem.ts'
import { isGiven, type KeyedRow, requireRowKey, textsOf } from './target.ts'

/** The fields by which users are found: the first that a row has. */
export const userKeyFields = ['external_id', 'email', 'phone'] as const
type KeyField = (typeof userKeyFields)[number]

const keyFieldOf = (fields: KeyedRow['fields']): KeyField | undefined =>
  userKeyFields.find((name) => isGiven(fields[name]))

const keyForms: Readonly<Record<KeyField, (value: string) => string | null>> = {
  external_id: (value) => value,
  email: accountKey,
  phone: phoneKey,
}

/** Returns the key of a row. Throws 400/4001 without one, and 422/4221 for one that is no key. */
export function keyOfUser(fields: KeyedRow['fields']): string {
  const field = keyFieldOf(fields)
  if (!field) {
    const message = createMessage('import.user_key')
    throw new Problem('4001', message, { issues: [{ field: 'email', message, missing: true }] })
  }
  const key = keyForms[field](requireRowKey(fields, field))
  if (key !== null) return `${field} ${key}`
  const message = createMessage('import.phone')
  throw new Problem('4221', message, { issues: [{ field, message }] })
}

/** The keys of the telephone numbers by which rows are found. */
export const phonesOf = (rows: readonly KeyedRow[]): readonly string[] =>
  rows
    .filter(({ fields }) => keyFieldOf(fields) === 'phone')
    .flatMap((row) => textsOf([row], 'phone').flatMap((phone) => phoneKey(phone) ?? []))

/** The users that rows name, as rows before have changed them. */
export class KnownUsers {
  readonly #db: Db
  readonly #byId: Map<number, UserRow>

  private constructor(db: Db, found: readonly UserRow[]) {
    this.#db = db
    this.#byId = new Map(found.map((user) => [user.id, user]))
    for (const user of found) this.#index(user)
  }

  readonly #byKey = new Map<string, number>()

  /** Reads the users with the IDs of other systems and the emails of rows. */
  static async read(db: Db, rows: readonly KeyedRow[]): Promise<KnownUsers> {
    const emails = textsOf(rows, 'email').map(accountKey)
    const found = [
      ...(await users.findAll(db, { email_key: emails })),
      ...(await users.findAll(db, { external_id: textsOf(rows, 'external_id') })),
    ]
    return new KnownUsers(db, found)
  }

  /**
   * Returns the user of a row: the one with its external ID, else with its email. One with a number and neither is the
   * only account without an email that has the number. Throws 409/4091 where several have it.
   */
  async find({ fields, key }: KeyedRow): Promise<UserRow | undefined> {
    if (keyFieldOf(fields) === 'phone') return this.#byPhone(key.slice('phone '.length))
    const [email] = textsOf([{ fields, key }], 'email')
    const keys = [key, ...(email === undefined ? [] : [`email ${accountKey(email)}`])]
    const id = keys.map((each) => this.#byKey.get(each)).find((each) => each !== undefined)
    return id === undefined ? undefined : this.#byId.get(id)
  }

  /** Keeps what a row has made of a user. */
  set(user: UserRow): void {
    const before = this.#byId.get(user.id)
    for (const key of before ? keysOfUser(before) : []) this.#byKey.delete(key)
    this.#byId.set(user.id, user)
    this.#index(user)
  }

  #index(user: UserRow): void {
    for (const key of keysOfUser(user)) this.#byKey.set(key, user.id)
  }

  async #byPhone(phone: string): Promise<UserRow | undefined> {
    const [found, ...others] = await findAccountsByPhone(this.#db, phone)
    if (others.length > 0) throw problem('4091', 'import.shared_phone')
    return found
  }
}

const keysOfUser = ({ external_id, email_key }: UserRow): readonly string[] => [
  ...(external_id === null ? [] : [`external_id ${external_id}`]),
  ...(email_key === null ? [] : [`email ${email_key}`]),
]
