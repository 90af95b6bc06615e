import type { TestRequest } from '#test/support/app.ts'

/** The policy of an app behind a proxy, whose clients are where `X-Forwarded-For` says. */
export const behindProxy = { plain: 'allow', isTrustedProxy: () => true } as const

/** Sends requests from an address, to an app with `behindProxy`. */
export const requestFrom =
  (request: TestRequest, address: string): TestRequest =>
  (method, url, body, headers) =>
    request(method, url, body, {
      'x-forwarded-for': address,
      'x-forwarded-proto': 'https',
      ...headers,
    })
