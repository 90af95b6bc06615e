import { noAuthentication } from '#http/declare/policy.ts'
import { singleton } from '#http/declare/resource.ts'
import { accepted } from '#http/declare/results.ts'
import { create } from '#http/declare/route.ts'
import type { Shop } from '#shop/shop.ts'
import { withdraw } from './actions.ts'
import { Withdrawal, WithdrawalBody } from './schema.ts'

const withdrawal = singleton({
  name: 'withdrawal',
  description: 'The declaration of a buyer who withdraws from the contract for an order.',
  path: '/withdrawals',
  isWriteOnly: true,
  schema: Withdrawal,
  load: async (): Promise<{ readonly status: 'accepted' } | undefined> => undefined,
  pathParams: () => ({}),
  revision: () => 0,
  present: (declared) => declared,
  links: { self: { to: 'withdrawal', operation: 'create' } },
})

/** The operation of the withdrawal button (Directive 2011/83/EU art. 11a). */
export const withdrawalRoutes = ({ shop }: { readonly shop: Shop }) => [
  create(withdrawal, {
    operationId: 'withdraw',
    summary:
      'Withdraws from the contract for an order, without signing in; answers the same whether there is such an order or not.',
    description:
      'Where number and address match, the order gets a return of the kind `withdrawal`, and its buyer a mail that confirms what was declared, and when.',
    access: noAuthentication,
    rateLimit: 'credentials',
    loginName: ({ email }) => `withdrawal ${email}`,
    body: WithdrawalBody,
    statuses: [202],
    handle: async ({ db, now }, { body }) => {
      await withdraw(db, body, shop, now)
      return accepted({ status: 'accepted' as const })
    },
  }),
]
