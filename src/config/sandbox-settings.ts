import { optional, setting, strongText, textOfLength, wholeNumber } from './setting.ts'

/** The settings of `npm run sandbox`. */
export const sandboxSettings = {
  port: setting(
    'SANDBOX_PORT',
    { defaultText: '3010', description: 'The port of `npm run sandbox`; 0 chooses a free port.' },
    wholeNumber(0, 65_535),
  ),
  host: setting(
    'SANDBOX_HOST',
    { defaultText: '127.0.0.1', description: 'The address that `npm run sandbox` listens on.' },
    textOfLength(1, 255),
  ),
  secret: optional(
    'SANDBOX_SECRET',
    {
      description:
        'The secret of `npm run sandbox`, which servers have as PAYMENT_PROVIDER_SECRET. Default: generated at each start.',
      secret: true,
    },
    strongText(16, 1024, 20),
  ),
  file: optional(
    'SANDBOX_FILE',
    { description: 'The file of charges of `npm run sandbox`. Default: they are kept in memory.' },
    textOfLength(1, 4096),
  ),
}
