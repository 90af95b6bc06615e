/** The messages of the pages that the links in mails open in English; `{…}` are parameters. */
export const en = {
  'reset.title': 'Choose a new password',
  'reset.lead': 'It has at least 8 characters. All devices are signed out afterwards.',
  'reset.password': 'New password',
  'reset.submit': 'Save the password',
  'reset.done.title': 'Your password is changed',
  'reset.done.text': 'You can sign in with it now.',
  'verify.title': 'Confirm your address',
  'verify.lead':
    'Did you make an account at {shop} with this address? It then gets your mails, and shows the orders that were placed with this address.',
  'verify.submit': 'Confirm',
  'proof.password': 'Password of the account',
  'proof.wrong': 'It is wrong.',
  'verify.done.title': 'Thank you',
  'verify.done.text': 'Your address is confirmed.',
  'disown.title': 'Did you not sign up?',
  'disown.lead':
    'Somebody gave this address to an account at {shop}. This removes the address from the account and ends all that was made in it: sessions, API keys and webhooks.',
  'disown.submit': 'I did not sign up',
  'disown.done.title': 'Your address is free',
  'disown.done.text': 'No account at {shop} uses it any more.',
  'undo.title': 'Undo the change of your address',
  'undo.lead':
    'Your account at {shop} gets this address back. All sessions, API keys and the password end; then you choose a new password.',
  'undo.submit': 'Undo the change',
  'undo.done.title': 'Your address is restored',
  'undo.done.text': 'Now ask for a new password with this address.',
  'gone.title': 'This link does not work any more',
  'gone.text': 'It works once and for a limited time only. Ask for a new mail.',
  'failed.title': 'This did not work',
  'failed.text': 'Try again in a moment.',
  close: 'You can close this page.',
} as const

/** The key of a message. */
export type AccountPageMessageKey = keyof typeof en

/** The messages in one language. */
export type AccountPageMessages = Readonly<Record<AccountPageMessageKey, string>>
