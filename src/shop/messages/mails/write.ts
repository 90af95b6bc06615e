import type { Shop } from '#shop/shop.ts'
import type { Db } from '#store/database.ts'
import { accountKey } from '#values/account-key.ts'
import type { Instant } from '#values/instant.ts'
import type { AccountLinkParts } from './account-link.ts'
import {
  findLanguage,
  findMailedItems,
  findMailedOrder,
  findMailedParcel,
  findMailedReturn,
  findScheduledErasure,
} from './content-store.ts'
import type { MailMessage } from './delivery/message.ts'
import { type MailLimit, mailAllowances } from './mail-limit.ts'
import { type MailRow, mails, accountTokens as tokens } from './table.ts'
import {
  accountMail,
  addressChangeMail,
  erasureMail,
  type RequestedPurpose,
} from './templates/account-mails.ts'
import { type MailedOrder, type OrderMail, orderMail } from './templates/order-mails.ts'
import { withParcel, withReturn } from './templates/order-parts.ts'
import { renderMail } from './templates/render.ts'
import { findUsableToken } from './token-store.ts'

/** What mails are written with. */
interface MailWriterParts extends AccountLinkParts {
  readonly isWithinLimit: MailLimit
  readonly shopName: string
  readonly shop: Pick<Shop, 'timeZone'>
  /** The URL under which the pages are that the links of mails open. */
  readonly accountPagesUrl: string
}

/** A mail that is written. */
interface WrittenMail {
  readonly message: MailMessage
  /** Set unless the mail goes to the address that its user has confirmed, about what the user has done. */
  readonly allowance?: string
}

/**
 * Returns a function that writes a queued mail from the data of this moment. It returns undefined
 * when there is nobody to send it to: the user was erased, removed or suspended, or its link no
 * longer works; and `limited` when its mailbox has got, or its network has caused, too many.
 */
export function mailWriter(parts: MailWriterParts) {
  return async (
    db: Db,
    mail: MailRow,
    now: Instant,
  ): Promise<MailMessage | 'limited' | undefined> => {
    const written = await writeMail(parts, db, mail, now)
    if (!written) return undefined
    const { message, allowance } = written
    if (allowance === undefined || mail.attempts > 0) return message
    const cause = { allowance, network: mail.network }
    return (await parts.isWithinLimit(cause, now)) ? message : 'limited'
  }
}

function writeMail(
  parts: MailWriterParts,
  db: Db,
  mail: MailRow,
  now: Instant,
): Promise<WrittenMail | undefined> {
  const { kind } = mail
  switch (kind) {
    case 'password_reset':
    case 'email_confirmation':
      return writeAccountMail(parts, db, { purpose: kind, hash: mail.token_hash ?? '', now })
    case 'email_changed':
      return writeAddressChangeMail(parts, db, mail, now)
    case 'erasure_scheduled':
      return writeErasureMail(parts, db, mail)
    default:
      return writeOrderMail(parts, db, { ...mail, kind })
  }
}

async function writeOrderMail(
  { shopName, shop }: MailWriterParts,
  db: Db,
  { kind, order_id, parcel_id, return_id, amount }: MailRow & Pick<OrderMail, 'kind'>,
): Promise<WrittenMail | undefined> {
  const order = await findMailedOrder(db, order_id ?? 0)
  if (!order || order.contact_email === null) return undefined
  const { contact_email: address } = order
  const isConfirmed = order.email_verified === 1 && order.email_key === accountKey(address)
  const items = kind === 'order_refunded' ? [] : await findMailedItems(db, order.id)
  const style = { language: order.language, shopName, timeZone: shop.timeZone }
  const mail = {
    kind,
    order: isConfirmed ? order : withoutTypedText(order),
    items,
    returnedMinor: amount,
  }
  const parcel = parcel_id === null ? undefined : await findMailedParcel(db, parcel_id)
  // It was removed.
  if (parcel_id !== null && !parcel) return undefined
  const returned = return_id === null ? undefined : await findMailedReturn(db, return_id)
  // Whoever knows the number of an order may declare its withdrawal under any name.
  const complete = returned
    ? withReturn(mail, isConfirmed ? returned : { ...returned, declared_by: null })
    : mail
  const content = orderMail(style, parcel ? withParcel(complete, parcel) : complete)
  const message = renderMail(style, address, content)
  // Anybody may place an order with the address of a stranger.
  return isConfirmed ? { message } : { message, allowance: mailAllowances.other(address) }
}

/** Removes what the buyer has typed in, which a stranger must not get by a mail of the shop. */
const withoutTypedText = <O extends MailedOrder>(order: O): O => ({
  ...order,
  contact_name: null,
  line1: null,
  note: null,
})

async function writeAccountMail(
  { accountTokens, shopName, shop, accountPagesUrl }: MailWriterParts,
  db: Db,
  key: Parameters<typeof findUsableToken>[1] & { readonly purpose: RequestedPurpose },
): Promise<WrittenMail | undefined> {
  const found = await findUsableToken(db, key)
  if (!found) return undefined
  const token = accountTokens.tokenOf({ salt: found.salt, hash: found.token_hash })
  // The secret key was replaced, and the former one is not known any more.
  if (token === undefined) return undefined
  const style = { language: found.language, shopName, timeZone: shop.timeZone }
  const urlOf = (path: string) => `${accountPagesUrl}/${path}/${token}`
  const message = renderMail(style, found.email, accountMail(style, key.purpose, urlOf))
  return { message, allowance: mailAllowances[key.purpose](found.email) }
}

async function writeAddressChangeMail(
  parts: MailWriterParts,
  db: Db,
  mail: MailRow,
  now: Instant,
): Promise<WrittenMail | undefined> {
  const { user_id, recipient, created_at } = mail
  const language = await findLanguage(db, user_id ?? 0)
  if (language === undefined || recipient === null) return undefined
  const style = { language, shopName: parts.shopName, timeZone: parts.shop.timeZone }
  const undoUrl = await undoUrlOf(parts, db, mail, now)
  const message = renderMail(style, recipient, addressChangeMail(style, created_at, undoUrl))
  // The changes of an account that can be undone are bounded themselves.
  if (undoUrl !== undefined) return { message }
  // Whoever gives a stranger's address to accounts and changes it must not flood the stranger.
  return { message, allowance: mailAllowances.other(recipient) }
}

async function writeErasureMail(
  { shopName, shop }: MailWriterParts,
  db: Db,
  { user_id, recipient }: MailRow,
): Promise<WrittenMail | undefined> {
  const found = await findScheduledErasure(db, user_id ?? 0)
  if (!found || recipient === null) return undefined
  const style = { language: found.language, shopName, timeZone: shop.timeZone }
  const message = renderMail(style, recipient, erasureMail(style, found.erase_at))
  return { message, allowance: mailAllowances.erasure_scheduled(found.id) }
}

/** Returns the link that undoes a change of an address, and makes its token; undefined without one. */
async function undoUrlOf(
  { accountTokens, accountPagesUrl }: MailWriterParts,
  db: Db,
  { token_hash }: Pick<MailRow, 'token_hash'>,
  now: Instant,
): Promise<string | undefined> {
  const found = token_hash === null ? undefined : await tokens.find(db, { token_hash })
  if (token_hash === null || !found || found.expires_at <= now) return undefined
  let { salt, token_hash: hash } = found
  if (salt === '') {
    ;({ salt, hash } = accountTokens.create())
    // Also the hash in mails about further changes of the address.
    await tokens.update(db, { token_hash }, { salt, token_hash: hash })
    await mails.update(db, { user_id: found.user_id, token_hash }, { token_hash: hash })
  }
  const token = accountTokens.tokenOf({ salt, hash })
  return token && `${accountPagesUrl}/address-changes/${token}`
}
