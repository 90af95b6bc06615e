import type { Db } from '#store/database.ts'
import { accountKey } from '#values/account-key.ts'
import type { Instant } from '#values/instant.ts'
import type { AccountLinkParts } from './account-link.ts'
import { type AddressLimit, createAddressLimit } from './address-limit.ts'
import { findLanguage, findMailedItems, findMailedOrder } from './content-store.ts'
import type { MailMessage } from './delivery/message.ts'
import type { MailRow } from './table.ts'
import { accountMail, addressChangeMail } from './templates/account-mails.ts'
import { type OrderMail, orderMail } from './templates/order-mails.ts'
import { renderMail } from './templates/render.ts'
import { findUsableToken } from './token-store.ts'

/** What mails are written with. */
interface MailWriterParts extends AccountLinkParts {
  readonly shopName: string
  /** The URL under which the pages are that the links of mails open. */
  readonly accountPagesUrl: string
}

/**
 * Returns a function that writes a queued mail from the data of this moment. It returns undefined
 * when there is nobody to send it to: the user was erased, removed or suspended, or its link no
 * longer works; or when its address has got too many.
 */
export function mailWriter(parts: MailWriterParts) {
  const isWithinLimit = createAddressLimit()
  return async (db: Db, mail: MailRow, now: Instant): Promise<MailMessage | undefined> => {
    const { kind } = mail
    switch (kind) {
      case 'password_reset':
      case 'email_confirmation':
        return writeAccountMail(parts, db, {
          purpose: kind,
          hash: mail.token_hash ?? '',
          now,
        })
      case 'email_changed':
        return writeAddressChangeMail({ ...parts, isWithinLimit }, db, mail, now)
      default:
        return writeOrderMail(parts, db, { ...mail, kind })
    }
  }
}

async function writeOrderMail(
  { shopName }: MailWriterParts,
  db: Db,
  { kind, order_id, amount }: MailRow & Pick<OrderMail, 'kind'>,
): Promise<MailMessage | undefined> {
  const order = await findMailedOrder(db, order_id ?? 0)
  if (!order || order.contact_email === null) return undefined
  const items = kind === 'order_refunded' ? [] : await findMailedItems(db, order.id)
  const style = { language: order.language, shopName }
  const content = orderMail(style, { kind, order, items, returnedMinor: amount })
  return renderMail(style, order.contact_email, content)
}

const folders = {
  password_reset: 'password-resets',
  email_confirmation: 'email-confirmations',
} as const

async function writeAccountMail(
  { accountTokens, shopName, accountPagesUrl }: MailWriterParts,
  db: Db,
  key: Parameters<typeof findUsableToken>[1],
): Promise<MailMessage | undefined> {
  const found = await findUsableToken(db, key)
  if (!found) return undefined
  const token = accountTokens.tokenOf({ salt: found.salt, hash: found.token_hash })
  // The secret key was replaced, and the former one is not known any more.
  if (token === undefined) return undefined
  const style = { language: found.language, shopName }
  const url = `${accountPagesUrl}/${folders[key.purpose]}/${token}`
  return renderMail(style, found.email, accountMail(style, key.purpose, url))
}

async function writeAddressChangeMail(
  { shopName, isWithinLimit }: MailWriterParts & { readonly isWithinLimit: AddressLimit },
  db: Db,
  { kind, user_id, recipient, created_at, attempts }: MailRow,
  now: Instant,
): Promise<MailMessage | undefined> {
  const language = await findLanguage(db, user_id ?? 0)
  if (language === undefined || recipient === null) return undefined
  // Whoever gives a stranger's address to accounts and changes it must not flood the stranger.
  if (attempts === 0 && !isWithinLimit(kind, accountKey(recipient), now)) return undefined
  const style = { language, shopName }
  return renderMail(style, recipient, addressChangeMail(style, created_at))
}
