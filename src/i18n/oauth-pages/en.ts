/** The messages of the OAuth pages in English; `{…}` are parameters. */
export const en = {
  'sign_in.title': 'Sign in',
  'sign_in.lead': 'to continue to {client}',
  'sign_in.username': 'Username or email',
  'sign_in.password': 'Password',
  'sign_in.remember': 'Stay signed in on this device',
  'sign_in.submit': 'Sign in',
  'sign_in.cancel': 'Cancel',
  'problem.title': 'There is a problem',
  'problem.username': 'Enter your username or email',
  'problem.password': 'Enter your password',
  'problem.credentials': 'Incorrect username or password',
  'problem.suspended': 'This account is suspended. Contact the shop',
  'problem.throttled': 'Too many attempts. Try again in {seconds} seconds',
  'problem.busy': 'The shop is busy. Try again in a moment',
  'consent.title': 'Allow {client} to use your account?',
  'consent.account': 'You are signed in as {name}.',
  'consent.list': 'It will be able to:',
  'consent.barred':
    'It also asked for permissions that your account does not have. It will not be able to:',
  'consent.admin':
    'You are an administrator: this gives access to the data of all customers, not just yours.',
  'consent.duration': 'Duration of access',
  'consent.lasting': 'Until you revoke it, at most {days} days, even while you are away.',
  'consent.passing':
    '{minutes} minutes at a time, while you use the application. You will not be asked again for {days} days, unless you revoke the access.',
  'consent.once': '{minutes} minutes. Then the application has to ask you again.',
  'consent.native':
    'Any program could pretend to be this application. Continue only if you have just started it.',
  'consent.return': 'You will then be redirected to {host}.',
  'consent.privacy': 'Privacy policy of the application',
  'consent.terms': 'Terms of service of the application',
  'consent.allow': 'Allow',
  'consent.deny': 'Do not allow',
  'sign_out.title': 'Sign out?',
  'sign_out.account': 'You are signed in as {name}.',
  'sign_out.asked': 'You are signed in as {name}. {client} requests to sign you out.',
  'sign_out.effect':
    'You will be signed out of the shop in this browser. Applications keep the access that you gave them until you revoke it.',
  'sign_out.submit': 'Sign out',
  'sign_out.stay': 'Stay signed in',
  'sign_out.kept': 'You are still signed in',
  'sign_out.kept_text': 'Nothing has changed. You can close this page.',
  'signed_out.title': 'You are signed out',
  'signed_out.text': 'You can close this page.',
  'failure.title': 'This did not work',
  'failure.request': 'The application that sent you here made an invalid request.',
  'failure.expired': 'This page has expired, or it was opened in another browser.',
  'failure.server': 'Something went wrong on our side.',
  'failure.advice': 'Go back to the application and start again.',
  'failure.details': 'For the developers of the application',
  'scope.openid': 'See the ID of your account',
  'scope.profile': 'See your name and username',
  'scope.email': 'See your email address',
  'scope.offline_access': 'Keep its access while you are away',
  'scope.users:read': 'See your account and where you are signed in',
  'scope.users:read.admin':
    'See the accounts of all users, where they are signed in, and the audit trail',
  'scope.users:write': 'Change and delete your account, and sign you out',
  'scope.users:write.admin':
    'Change, suspend and delete the accounts of all users, and sign them out',
  'scope.products:write': 'Add, change and remove products of the shop',
  'scope.orders:read': 'See your orders and payments',
  'scope.orders:read.admin': 'See the orders and payments of all customers',
  'scope.orders:write': 'Place, change and cancel orders for you',
  'scope.orders:write.admin': 'Place, change, ship and cancel orders of all customers',
  'scope.carts:write': 'See and change your cart',
  'scope.carts:write.admin': 'See and change the carts of all customers',
  'scope.payments:write': 'Pay for your orders',
  'scope.payments:write.admin': 'Pay for the orders of all customers',
  'scope.reviews:write': 'Write reviews in your name',
  'scope.purchases:read': 'See what you have bought',
  'scope.purchases:read.admin': 'See what all customers have bought',
  'scope.keys:write':
    'Create and revoke API keys of your account, and revoke the access of applications',
  'scope.keys:write.admin':
    'Create API keys of your account, revoke the API keys of all users, and manage the applications that may request access',
  'scope.events:read': 'See what happens in the shop: orders, payments, products and users',
  'scope.webhooks:write': 'Have events of the shop sent to other servers',
  'scope.refunds:write': 'Refund payments',
  'scope.returns:write': 'Approve and receive returns',
  'scope.settings:write': 'Change shipping methods, taxes and discounts',
  'scope.imports:write': 'Import products, users, stock and prices',
  'scope.files:write': 'Add, change and remove files and pictures',
} as const

/** The key of a message. */
export type PageMessageKey = keyof typeof en

/** The messages in one language. */
export type PageMessages = Readonly<Record<PageMessageKey, string>>
