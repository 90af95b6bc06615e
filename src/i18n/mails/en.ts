/** The messages of mails in English; `{…}` are parameters. */
export const en = {
  greeting: 'Hello {name},',
  greeting_unnamed: 'Hello,',
  'confirmation.subject': 'Order {order} is confirmed',
  'confirmation.title': 'Thank you for your order',
  'confirmation.text':
    'We have received your order and are getting it ready. You will hear from us when it leaves.',
  'shipped.subject': 'Order {order} is on its way',
  'shipped.title': 'Your order is on its way',
  'shipped.text': 'Your order has left us and is on its way to you.',
  'shipped.track': 'Track the parcel',
  'shipped.carrier': 'Carrier',
  'shipped.number': 'Tracking number',
  'part.subject': 'Part of order {order} is on its way',
  'part.title': 'Part of your order is on its way',
  'part.text': 'These pieces have left us and are on their way to you.',
  'pickup.subject': 'Order {order} is ready',
  'pickup.title': 'Your order is ready',
  'pickup.text': 'You can pick up your order now.',
  'refunded.subject': 'Refund for order {order}',
  'refunded.title': 'Your money is on its way back',
  'refunded.text':
    'We have returned money for your order. Depending on your bank, it takes a few days to arrive.',
  'refunded.amount': 'Returned for this order',
  'cancelled.subject': 'Order {order} was cancelled',
  'cancelled.title': 'Your order was cancelled',
  'cancelled.text':
    'It was not paid yet, and another buyer needed pieces that it held. You have paid nothing. What is in stock you can order again.',
  'displaced.subject': 'Order {order} was cancelled',
  'displaced.title': 'Your order was cancelled',
  'displaced.text':
    'It was not paid yet, and another buyer needed the discount that it held. You have paid nothing. You can order again, also without the discount.',
  'return_requested.subject': 'Your return for order {order}',
  'return_requested.title': 'We have your request',
  'return_requested.text':
    'You want to return these pieces. We look at it and write to you; please keep them until then.',
  'return_approved.subject': 'Your return for order {order} is approved',
  'return_approved.title': 'Please send these pieces back',
  'return_approved.text': 'We take these pieces back. Pack them well and send them to us.',
  'return_rejected.subject': 'Your return for order {order}',
  'return_rejected.title': 'We cannot take these pieces back',
  'return_rejected.text': 'We have looked at your request and cannot accept it.',
  'return_received.subject': 'Your return for order {order} has arrived',
  'return_received.title': 'Your pieces have arrived',
  'return_received.text': 'These pieces are with us again.',
  'withdrawal_confirmed.subject': 'Your withdrawal from order {order}',
  'withdrawal_confirmed.title': 'We have received your withdrawal',
  'withdrawal_confirmed.text':
    'You have withdrawn from the contract for these pieces. This mail confirms what you declared, and when.',
  'withdrawal_confirmed.received': 'Received',
  'withdrawal_confirmed.by': 'Declared by',
  'return.reply': 'Our answer',
  'reset.subject': 'Choose a new password',
  'reset.title': 'Choose a new password',
  'reset.text':
    'Somebody asked for a new password for your account at {shop}. If that was you, choose one now. The link works once, within an hour.',
  'reset.button': 'Choose a password',
  'reset.ignore': 'If it was not you, ignore this mail: your password stays as it is.',
  'verify.subject': 'Confirm your email address',
  'verify.title': 'Is this your address?',
  'verify.text':
    'An account at {shop} was made with your address. If you made it, confirm the address: the account then gets your mails and shows the orders that were placed with this address. If you did not make it, do not confirm. The link works for three days.',
  'verify.button': 'Confirm the address',
  'verify.disown': 'Did you not sign up at {shop}? End the account’s use of your address here:',
  'verify.ignore': 'If you have no account at {shop}, ignore this mail.',
  'moved.subject': 'Your email address was changed',
  'moved.text':
    'The email address of your account at {shop} was changed on {time}. This mail goes to the former address. If that was you, there is nothing to do.',
  'moved.protect':
    'If it was not you, sign in with your username or this address and your password. Choose a new password, which ends all other sessions, and set your address again. If you cannot sign in, contact {shop}.',
  'moved.undo':
    'If it was not you, undo the change within 72 hours. That restores this address and ends all sessions, API keys and the password of the account; afterwards you choose a new password.',
  'moved.button': 'Undo the change',
  'erasure.subject': 'Your account is to be erased',
  'erasure.text':
    'Your account at {shop} and your personal data are erased on {time}: somebody asked for it, or a program that acts for you or for {shop}. If you want that, there is nothing to do.',
  'erasure.withdraw':
    'If you do not, choose a new password by “forgotten password”, with this address: that withdraws the erasure and ends all sessions and API keys. Or sign in and withdraw it there.',
  link: 'If the button does not work, open this address:',
  order: 'Order',
  date: 'Date',
  subtotal: 'Subtotal',
  discount: 'Discount',
  shipping: 'Shipping',
  tax: 'Tax',
  tax_included: 'Tax included',
  total: 'Total',
  address: 'Delivery address',
  note: 'Your note',
  footer: 'Sent by {shop}, because of your order or your account there.',
} as const

/** The key of a message. */
export type MailMessageKey = keyof typeof en

/** The messages in one language. */
export type MailMessages = Readonly<Record<MailMessageKey, string>>
