import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Language } from '#i18n/languages.ts'
import { de } from '#i18n/mails/de.ts'
import { en } from '#i18n/mails/en.ts'
import { es } from '#i18n/mails/es.ts'
import { fr } from '#i18n/mails/fr.ts'
import { zh } from '#i18n/mails/zh.ts'
import { accountMail, addressChangeMail } from './account-mails.ts'
import { orderMail } from './order-mails.ts'
import { renderMail } from './render.ts'

const languages = { en, de, es, fr, zh }

const order = {
  number: '1064',
  currency: 'EUR',
  contact_name: 'Ada',
  subtotal: 19_700,
  discount_total: 700,
  shipping_cost: 500,
  tax: 3_113,
  prices_include_tax: 1,
  total: 19_500,
  note: null,
  shipping_method: 'standard',
  recipient: 'Ada',
  company: 'Engines Ltd',
  line1: 'Unter den Linden 6',
  line2: null,
  city: 'Berlin',
  region: null,
  postal_code: '10117',
  country: 'DE',
  carrier: 'DHL',
  tracking_number: 'JD1',
  cancel_reason: 'stock_needed',
  tracking_url: 'javascript:alert(1)',
  created_at: Date.UTC(2026, 5, 1),
}
const items = [
  {
    id: 1,
    name: 'Pan',
    options: '{"size":"28 cm"}',
    quantity: 2,
    unit_price: 9_850,
    line_total: 19_700,
    requires_shipping: 1,
  },
]

test('every mail is written in every language, with the parameters of the English one', () => {
  for (const [tag, messages] of Object.entries(languages)) {
    assert.deepEqual(Object.keys(messages), Object.keys(en), tag)
    for (const [key, text] of Object.entries(messages)) {
      const parametersOf = (each: string) => (each.match(/\{\w+\}/g) ?? []).toSorted()
      const english = en[key as keyof typeof en]
      assert.deepEqual(parametersOf(text), parametersOf(english), `${tag} ${key}`)
    }
    const style = { language: tag as Language, shopName: 'Kettle', timeZone: 'UTC' }
    const kinds = [
      'order_confirmation',
      'order_shipped',
      'order_refunded',
      'order_cancelled',
      'return_requested',
      'return_approved',
      'return_rejected',
      'return_received',
      'withdrawal_confirmed',
    ] as const
    const contents = [
      ...kinds.map((kind) => orderMail(style, { kind, order, items, returnedMinor: 700 })),
      accountMail(style, 'password_reset', (path) => `https://shop.example/${path}/1`),
      accountMail(style, 'email_confirmation', (path) => `https://shop.example/${path}/1`),
      addressChangeMail(style, order.created_at, undefined),
      addressChangeMail(style, order.created_at, 'https://shop.example/undo/1'),
    ]
    for (const content of contents) {
      const { text, html, subject } = renderMail(style, 'ada@example.com', content)
      assert.doesNotMatch(subject + text + html, /undefined|\{\w+\}|NaN/)
      assert.match(html, new RegExp(`<html lang="${tag}">`))
    }
  }
})

test('amounts are those of the order; an address of a script is no link', () => {
  const style = { language: 'en', shopName: 'Kettle', timeZone: 'UTC' } as const
  const mail = { order, items, returnedMinor: null }
  const confirmation = orderMail(style, { ...mail, kind: 'order_confirmation' })
  const { text } = renderMail(style, 'ada@example.com', confirmation)
  for (const line of [
    '28 cm · 2 × €98.50',
    'Subtotal: €197.00',
    'Discount: -€7.00',
    'Shipping: €5.00',
    'Tax included: €31.13',
    'Total: €195.00',
    'Engines Ltd',
    'Germany',
  ]) {
    assert.ok(text.includes(line), `${line} in ${text}`)
  }
  const shipped = orderMail(style, { ...mail, kind: 'order_shipped' })
  assert.doesNotMatch(renderMail(style, 'a@example.com', shipped).html, /javascript/)
})

test('a name or a subject cannot add lines, markup or terminal commands', () => {
  const style = { language: 'en', shopName: 'Kettle', timeZone: 'UTC' } as const
  const evil = { ...order, contact_name: 'Eve\u001b[31m\r\nBcc: x <img src=x>' }
  const mail = { kind: 'order_confirmation', order: evil, items, returnedMinor: null } as const
  const { text, html } = renderMail(style, 'ada@example.com', orderMail(style, mail))
  assert.ok(!text.includes('\u001b'))
  assert.ok(!html.includes('<img'))
  const content = { subject: 'a\r\nBcc: b', title: '', blocks: [] }
  assert.equal(renderMail(style, 'a@example.com', content).subject, 'a Bcc: b')
})

// 00:30 of the next day in Berlin, where it is winter.
const lateEvening = Date.UTC(2026, 10, 26, 23, 30)

for (const [timeZone, date, time] of [
  ['UTC', 'November 26, 2026', '11:30:00 PM UTC'],
  ['Europe/Berlin', 'November 27, 2026', '12:30:00 AM GMT+1'],
  ['America/New_York', 'November 26, 2026', '6:30:00 PM EST'],
] as const) {
  test(`dates and times of mails are in the time zone of the shop, such as ${timeZone}`, () => {
    const style = { language: 'en', shopName: 'Kettle', timeZone } as const
    const mail = { order: { ...order, created_at: lateEvening }, items, returnedMinor: null }
    const confirmation = orderMail(style, { ...mail, kind: 'order_confirmation' })
    assert.ok(renderMail(style, 'a@example.com', confirmation).text.includes(date))
    const moved = renderMail(
      style,
      'a@example.com',
      addressChangeMail(style, lateEvening, undefined),
    )
    const { text } = moved
    assert.ok(text.replaceAll('\u202f', ' ').includes(`${date} at ${time}`), text)
  })
}
