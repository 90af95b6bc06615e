import { isCountryCode } from '#values/countries.ts'
import {
  currency,
  onOrOff,
  optional,
  pageTemplate,
  setting,
  textOfLength,
  timeZone,
  wholeNumber,
} from './setting.ts'

/** The settings of what the shop is and sells. */
export const shopSettings = {
  shopName: setting(
    'SHOP_NAME',
    {
      defaultText: 'cartwright',
      description: 'The name of the shop in mails, on its pages and on the API reference.',
    },
    textOfLength(1, 100),
  ),
  productUrl: optional(
    'PRODUCT_URL',
    {
      description:
        'The address of the page of a product in your shop front, such as https://shop.example/products/{handle}; {id} stands for its ID. The feeds and the sitemap need it.',
    },
    pageTemplate,
  ),
  demoData: optional(
    'DEMO_DATA',
    {
      description:
        'Whether a new database is filled with demo data. Default: on with SQLite, off with PostgreSQL.',
    },
    onOrOff,
  ),
  currency: setting(
    'CURRENCY',
    {
      defaultText: 'USD',
      description: 'The currency of all prices. It cannot be changed after the first start.',
    },
    currency,
  ),
  pricesIncludeTax: setting(
    'PRICES_INCLUDE_TAX',
    {
      defaultText: 'on',
      description:
        'Whether the prices of products and shipping include tax. It cannot be changed after the first start.',
    },
    onOrOff,
  ),
  orderPrefix: optional(
    'ORDER_PREFIX',
    {
      description:
        'What the numbers of new orders begin with, such as A- for A-1001. Numbers that orders have stay as they are. Default: nothing.',
    },
    {
      expected: '1 to 20 letters of ASCII, digits and the characters # . / _ -',
      parse: (text) => (/^[A-Za-z0-9#./_-]{1,20}$/.test(text) ? text : undefined),
    },
  ),
  returnDays: setting(
    'RETURN_DAYS',
    {
      defaultText: '14',
      description: 'The days after the delivery of an order in which its pieces may be returned.',
    },
    wholeNumber(1, 3_650),
  ),
  timeZone: setting(
    'SHOP_TIME_ZONE',
    {
      defaultText: 'UTC',
      description: 'The time zone of dates in mails and in the console (IANA). The API is in UTC.',
    },
    timeZone,
  ),
  shopCountry: optional(
    'SHOP_COUNTRY',
    {
      description:
        'The country whose tax applies to orders that are picked up or have no address (ISO 3166-1 alpha-2). Default: no tax.',
    },
    {
      expected: 'a country code such as DE',
      parse: (text) => (isCountryCode(text) ? text : undefined),
    },
  ),
}
