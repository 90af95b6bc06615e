import type { ErrorCode } from './error-codes.ts'
import {
  createMessage,
  formatMessage,
  type Message,
  type MessageKey,
  type MessageTexts,
} from './message.ts'

/** The suggestions for causes that need another one than their error code. */
const byCause: Partial<Readonly<Record<MessageKey, MessageKey>>> = {
  'cart.empty': 'suggestion.add_to_cart',
  'detail.guest_scope': 'suggestion.register',
  'discount.ended': 'suggestion.discount',
  'discount.minimum': 'suggestion.discount',
  'discount.not_applicable': 'suggestion.discount',
  'discount.not_started': 'suggestion.discount',
  'discount.unknown': 'suggestion.discount',
  'discount.used_up': 'suggestion.discount',
  'import.no_key_column': 'suggestion.import_columns',
  'import.other_format': 'suggestion.import_columns',
  'order.expected_total': 'suggestion.expected_total',
  'order.payment_under_way': 'suggestion.open_payment',
  'payment.under_way': 'suggestion.open_payment',
  'product.choose_variant': 'suggestion.choose_variant',
  'query.deep_page': 'suggestion.cursor',
  'refund.more_than_left': 'suggestion.refund_less',
  'refund.pieces_returned': 'suggestion.refund_less',
  'shipping.incomplete': 'suggestion.add_shipping',
  'user.duplicate_email': 'suggestion.own_account',
  'user.duplicate_username': 'suggestion.own_account',
}

/** Returns what to do about a problem of this code; the first cause that has a suggestion decides. */
export function suggestionFor(
  code: ErrorCode,
  causes: readonly Message[],
  texts: MessageTexts,
): string {
  const [suggestion] = causes.flatMap(({ key, values }) => {
    const found = byCause[key]
    return found ? createMessage(found, values) : []
  })
  return suggestion ? formatMessage(suggestion, texts) : texts[`suggestion.${code}`]
}
