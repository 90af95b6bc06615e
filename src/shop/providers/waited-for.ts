import { waitElsewhere } from '#values/request-place.ts'
import type { PaymentProvider } from './provider.ts'

/** The provider; a request that waits for its answer holds no place meanwhile. */
export const waitedFor = (provider: PaymentProvider): PaymentProvider => ({
  name: provider.name,
  callbackPath: provider.callbackPath,
  start: (request) => waitElsewhere(() => provider.start(request)),
  confirm: (payment, means) => waitElsewhere(() => provider.confirm(payment, means)),
  find: (payment) => waitElsewhere(() => provider.find(payment)),
  cancel: (payment) => waitElsewhere(() => provider.cancel(payment)),
  refund: (payment, request) => waitElsewhere(() => provider.refund(payment, request)),
  verifyCallback: (request, now) => waitElsewhere(() => provider.verifyCallback(request, now)),
  close: () => provider.close(),
})
