/** The messages of the page of the payment sandbox in English; `{…}` are parameters. */
export const en = {
  'ask.title': 'Confirm your payment',
  'ask.lead': 'Your bank wants to know that it is you.',
  'ask.amount': 'Amount',
  'ask.approve': 'Approve',
  'ask.refuse': 'Refuse',
  'approved.title': 'Payment approved',
  'approved.text': 'Thank you. Your payment went through.',
  'declined.title': 'Payment declined',
  'declined.text': 'You have not been charged. You can try another card in the shop.',
  'cancelled.title': 'Payment cancelled',
  'cancelled.text': 'This payment was cancelled. You have not been charged.',
  'unknown.title': 'Page not found',
  'unknown.text': 'This address is wrong, or the payment is long over.',
  'failed.title': 'This did not work',
  'failed.text': 'Open the page again in a moment.',
  'foreign.text': 'The request did not come from this page. Open it again and decide there.',
  return: 'Return to the shop',
  close: 'You can close this page.',
  sandbox: 'This is a test bank: no money moves.',
} as const

/** The key of a message. */
export type SandboxMessageKey = keyof typeof en

/** The messages in one language. */
export type SandboxMessages = Readonly<Record<SandboxMessageKey, string>>
