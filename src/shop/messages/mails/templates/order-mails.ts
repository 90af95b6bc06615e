import type { MailKind } from '#shop/messages/mails/table.ts'
import { currencyDigits, type Minor, toMajor } from '#values/money.ts'
import {
  type AmountRow,
  type Block,
  type Fact,
  type MailContent,
  type MailStyle,
  type Translate,
  translatorOf,
} from './content.ts'
import { formatsOf, timeFormatOf } from './formats.ts'

/** An order as its mails show it; amounts in minor units. */
export interface MailedOrder {
  readonly number: string
  readonly currency: string
  readonly contact_name: string | null
  readonly subtotal: Minor
  readonly discount_total: Minor
  readonly shipping_cost: Minor
  readonly tax: Minor
  readonly prices_include_tax: number
  readonly total: Minor
  readonly note: string | null
  readonly shipping_method: string
  readonly recipient: string | null
  readonly company: string | null
  readonly line1: string | null
  readonly line2: string | null
  readonly city: string | null
  readonly region: string | null
  readonly postal_code: string | null
  readonly country: string | null
  readonly carrier: string | null
  readonly tracking_number: string | null
  readonly tracking_url: string | null
  readonly created_at: number
  readonly cancel_reason: string | null
}

/** A line of an order as its mails show it; amounts in minor units. */
export interface MailedItem {
  readonly id: number
  readonly name: string
  /** The options of a variant, as a JSON object. */
  readonly options: string | null
  readonly quantity: number
  readonly unit_price: Minor
  readonly line_total: Minor
  /** 0 if the product is not sent, else 1. */
  readonly requires_shipping: number
}

/** What the mails about an order are written from. */
export interface OrderMail {
  readonly kind: Extract<MailKind, `order_${string}` | `return_${string}` | 'withdrawal_confirmed'>
  readonly order: MailedOrder
  readonly items: readonly MailedItem[]
  /** The amount that was returned so far; null if nothing was. */
  readonly returnedMinor: Minor | null
  /** True for a parcel without some of what is to be sent. */
  readonly isPart?: boolean
  /** The return that the mail is about. */
  readonly returned?: MailedReturn
}

/** A return as its mails show it. */
export interface MailedReturn {
  readonly reply: string | null
  /** The name of who withdraws; null if the buyer has signed in. */
  readonly declared_by: string | null
  readonly created_at: number
}

/** The mail that confirms an order, or says that it was sent or cancelled, or that money was returned. */
export function orderMail(style: MailStyle, mail: OrderMail): MailContent {
  const translate = translatorOf(style)
  const { order } = mail
  const prefix = prefixOf(mail)
  const name = order.contact_name
  const blocks: Block[] = [
    {
      kind: 'text',
      text: name === null ? translate('greeting_unnamed') : translate('greeting', { name }),
    },
    { kind: 'text', text: translate(`${prefix}.text`) },
  ]
  return {
    subject: translate(`${prefix}.subject`, { order: order.number }),
    title: translate(`${prefix}.title`),
    blocks: [...blocks, ...blocksOf(style, translate, mail)],
  }
}

type Prefix =
  | Exclude<OrderMail['kind'], `order_${string}`>
  | 'confirmation'
  | 'shipped'
  | 'part'
  | 'pickup'
  | 'refunded'
  | 'cancelled'
  | 'displaced'

function prefixOf({ kind, order, isPart }: OrderMail): Prefix {
  switch (kind) {
    case 'order_confirmation':
      return 'confirmation'
    case 'order_refunded':
      return 'refunded'
    case 'order_cancelled':
      return order.cancel_reason === 'discount_needed' ? 'displaced' : 'cancelled'
    case 'order_shipped':
      if (isPickedUp(order)) return 'pickup'
      return isPart ? 'part' : 'shipped'
    default:
      return kind
  }
}

const isPickedUp = ({ shipping_method }: MailedOrder): boolean => shipping_method === 'pickup'

function blocksOf(style: MailStyle, translate: Translate, mail: OrderMail): readonly Block[] {
  const { kind, order } = mail
  const numbered = orderFacts(style, translate, order)
  switch (kind) {
    case 'order_confirmation':
      return [
        { kind: 'facts', facts: [...numbered, ...placeFacts(style, translate, order)] },
        itemsOf(style, mail),
        { kind: 'amounts', rows: totalsOf(style, translate, order) },
        ...notesOf(translate, order),
      ]
    case 'order_shipped':
      return [
        {
          kind: 'facts',
          facts: [
            ...numbered,
            ...placeFacts(style, translate, order),
            ...parcelFacts(translate, order),
          ],
        },
        ...trackingOf(translate, order),
        itemsOf(style, mail),
      ]
    case 'order_cancelled':
      return [{ kind: 'facts', facts: numbered }, itemsOf(style, mail)]
    case 'return_requested':
    case 'return_approved':
    case 'return_rejected':
    case 'return_received':
    case 'withdrawal_confirmed':
      return [
        { kind: 'facts', facts: [...numbered, ...returnFacts(style, translate, mail)] },
        itemsOf(style, mail),
      ]
    case 'order_refunded': {
      const amount = moneyOf(style, order.currency)(mail.returnedMinor ?? 0)
      return [
        { kind: 'facts', facts: numbered },
        { kind: 'amounts', rows: [{ label: translate('refunded.amount'), amount }] },
      ]
    }
    default:
      return kind satisfies never
  }
}

const moneyOf = (style: MailStyle, currency: string): ((amount: Minor) => string) => {
  const { amount: format } = formatsOf(style, currency)
  const digits = currencyDigits(currency)
  return (amount) => format.format(toMajor(amount, digits))
}

function orderFacts(style: MailStyle, translate: Translate, order: MailedOrder): Fact[] {
  const { date } = formatsOf(style, order.currency)
  return [
    { label: translate('order'), lines: [`${order.number} · ${date.format(order.created_at)}`] },
  ]
}

function placeFacts(style: MailStyle, translate: Translate, order: MailedOrder): Fact[] {
  const { recipient, company, line1, line2, city, region, postal_code } = order
  if (isPickedUp(order) || line1 === null) return []
  const place = [postal_code, city].filter((part) => part !== null).join(' ')
  const { country: countries } = formatsOf(style, order.currency)
  const country = order.country === null ? null : countries.of(order.country)
  const lines = [recipient, company, line1, line2, place, region, country]
  return [{ label: translate('address'), lines: lines.flatMap((line) => line || []) }]
}

function parcelFacts(translate: Translate, { carrier, tracking_number }: MailedOrder): Fact[] {
  return [
    ...(carrier === null ? [] : [{ label: translate('shipped.carrier'), lines: [carrier] }]),
    ...(tracking_number === null
      ? []
      : [{ label: translate('shipped.number'), lines: [tracking_number] }]),
  ]
}

function returnFacts(
  style: MailStyle,
  translate: Translate,
  { kind, returned }: OrderMail,
): readonly Fact[] {
  if (!returned) return []
  const { reply, declared_by, created_at } = returned
  return [
    ...(kind === 'withdrawal_confirmed'
      ? [
          {
            label: translate('withdrawal_confirmed.received'),
            lines: [timeFormatOf(style).format(created_at)],
          },
        ]
      : []),
    ...(declared_by === null
      ? []
      : [{ label: translate('withdrawal_confirmed.by'), lines: [declared_by] }]),
    ...(reply === null ? [] : [{ label: translate('return.reply'), lines: reply.split('\n') }]),
  ]
}

const trackingOf = (translate: Translate, { tracking_url: url }: MailedOrder): readonly Block[] =>
  url !== null && /^https?:\/\//.test(url)
    ? [{ kind: 'button', label: translate('shipped.track'), url, hint: translate('link') }]
    : []

function itemsOf(style: MailStyle, { order, items }: OrderMail): Block {
  const money = moneyOf(style, order.currency)
  return {
    kind: 'items',
    items: items.map(({ name, options, quantity, unit_price, line_total }) => ({
      name,
      detail: [
        ...Object.values<string>(JSON.parse(options ?? '{}')),
        `${quantity} × ${money(unit_price)}`,
      ].join(' · '),
      amount: money(line_total),
    })),
  }
}

function totalsOf(style: MailStyle, translate: Translate, order: MailedOrder): AmountRow[] {
  const money = moneyOf(style, order.currency)
  const isIncluded = order.prices_include_tax === 1
  const { discount_total, tax } = order
  return [
    { label: translate('subtotal'), amount: money(order.subtotal) },
    ...(discount_total === 0
      ? []
      : [{ label: translate('discount'), amount: money(-discount_total) }]),
    { label: translate('shipping'), amount: money(order.shipping_cost) },
    ...(tax === 0
      ? []
      : [{ label: translate(isIncluded ? 'tax_included' : 'tax'), amount: money(tax) }]),
    { label: translate('total'), amount: money(order.total) },
  ]
}

const notesOf = (translate: Translate, { note }: MailedOrder): readonly Block[] =>
  note === null || note === ''
    ? []
    : [{ kind: 'facts', facts: [{ label: translate('note'), lines: note.split('\n') }] }]
