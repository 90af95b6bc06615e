import {
  oneOf,
  optional,
  origin,
  prefixedText,
  secureOrigin,
  setting,
  strongText,
  textOfLength,
  wholeNumber,
} from './setting.ts'

/** The settings that decide who takes payments, and how that provider is reached. */
export const paymentSettings = {
  nodeEnv: optional(
    'NODE_ENV',
    {
      description:
        'Where the server runs. With production, PAYMENT_PROVIDER must be named: nothing is sold by mistake to the sandbox.',
    },
    textOfLength(1, 100),
  ),
  paymentProvider: optional(
    'PAYMENT_PROVIDER',
    {
      description:
        'Who takes payments: the built-in sandbox, which moves no money, Stripe, or a provider that speaks the HTTP protocol of the sandbox. Required where others reach the server: HOST or BASE_URL that is not loopback, or TRUST_PROXY. Default: http with PAYMENT_PROVIDER_URL, else sandbox.',
    },
    oneOf('sandbox', 'stripe', 'http'),
  ),
  paymentProviderUrl: optional(
    'PAYMENT_PROVIDER_URL',
    { description: 'The URL of the payment provider with PAYMENT_PROVIDER=http.' },
    origin,
  ),
  paymentProviderSecret: optional(
    'PAYMENT_PROVIDER_SECRET',
    {
      description:
        'The secret shared with the provider at PAYMENT_PROVIDER_URL. Default with the sandbox: generated at each start.',
      secret: true,
    },
    strongText(16, 1024, 20),
  ),
  stripeSecretKey: optional(
    'STRIPE_SECRET_KEY',
    { description: 'The secret key of Stripe with PAYMENT_PROVIDER=stripe.', secret: true },
    prefixedText('sk_', 'rk_'),
  ),
  stripeWebhookSecret: optional(
    'STRIPE_WEBHOOK_SECRET',
    {
      description:
        'The signing secret of the webhook endpoint that sends to /payment-notifications/stripe.',
      secret: true,
    },
    prefixedText('whsec_'),
  ),
  stripeApiBase: setting(
    'STRIPE_API_BASE',
    { defaultText: 'https://api.stripe.com', description: 'Where the API of Stripe is.' },
    secureOrigin,
  ),
  paymentTimeoutMs: setting(
    'PAYMENT_TIMEOUT_MS',
    {
      defaultText: '3000',
      description: 'The timeout for requests to the payment provider, in milliseconds.',
    },
    wholeNumber(1, 60_000),
  ),
}
