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
  'problem.credentials': 'The username and password do not match an account',
  'problem.suspended': 'This account was suspended. Ask the shop about it',
  'problem.throttled': 'Too many attempts. Try again in {seconds} seconds',
  'consent.title': 'Allow {client} to use your account?',
  'consent.account': 'You are signed in as {name}.',
  'consent.list': 'It will be able to:',
  'consent.barred': 'It also asked for what your account may not do, and will not be able to:',
  'consent.admin':
    'You are an administrator: this reaches the data of all customers, not just yours.',
  'consent.duration': 'For how long',
  'consent.lasting': 'Until you withdraw it, {days} days at most, also while you are away.',
  'consent.passing':
    '{minutes} minutes at a time, while you use it. You are not asked again for {days} days, unless you withdraw it.',
  'consent.once': '{minutes} minutes. Then it has to ask you again.',
  'consent.native':
    'Anybody could pass for this application. Go on only if you have just started it.',
  'consent.return': 'Then you will be sent to {host}.',
  'consent.privacy': 'Privacy policy of the application',
  'consent.terms': 'Terms of service of the application',
  'consent.allow': 'Allow',
  'consent.deny': 'Do not allow',
  'sign_out.title': 'Sign out?',
  'sign_out.account': 'You are signed in as {name}.',
  'sign_out.asked': 'You are signed in as {name}, and {client} asks to sign you out.',
  'sign_out.effect':
    'You will be signed out of the shop in this browser. What you have allowed applications to do goes on until you withdraw it.',
  'sign_out.submit': 'Sign out',
  'sign_out.stay': 'Stay signed in',
  'sign_out.kept': 'You are still signed in',
  'sign_out.kept_text': 'Nothing has changed. You can close this page.',
  'signed_out.title': 'You are signed out',
  'signed_out.text': 'You can close this page.',
  'failure.title': 'This did not work',
  'failure.request':
    'The application that sent you here asked for something that cannot be answered.',
  'failure.expired': 'This page has expired, or it was opened in another browser.',
  'failure.server': 'Something went wrong on our side.',
  'failure.advice': 'Go back to the application and start again.',
  'failure.details': 'For the maker of the application',
  'scope.openid': 'Know which account is yours',
  'scope.profile': 'See your name and username',
  'scope.email': 'See your email address',
  'scope.offline_access': 'Go on while you are away',
  'scope.users:read': 'See your account and where you are signed in',
  'scope.users:read.admin':
    'See the accounts of all users, where they are signed in, and the audit trail',
  'scope.users:write': 'Change your account, sign you out, and delete it',
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
    'Make and revoke keys to your account, and withdraw what you let applications do',
  'scope.keys:write.admin':
    'Make keys to your account, revoke the keys of all users, and manage the applications that may ask for access',
} as const

/** The key of a message. */
export type PageMessageKey = keyof typeof en

/** The messages in one language. */
export type PageMessages = Readonly<Record<PageMessageKey, string>>
