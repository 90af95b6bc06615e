import { useState } from 'preact/hooks'
import { useReading, useShop } from '../../api/context.ts'
import type { ApiDocument } from '../../api/document.ts'
import type { Body, Json } from '../../api/json.ts'
import { linkOf, pageOf } from '../../api/links.ts'
import { entriesOf } from '../../api/request.ts'
import { describeOptions, formatMoney, formatNumber } from '../../format.ts'
import { Icon } from '../../parts/icon.tsx'
import { announce } from '../../parts/notice.tsx'
import { Badge } from '../../parts/value.tsx'
import { nameInWords, word } from '../../words/words.ts'
import { Head, type ItemProps } from '../item.tsx'
import { PackingSlip } from './packing-slip.tsx'
import { Parcels, Returns } from './parts.tsx'
import { leftToRefund } from './refund.ts'
import { RefundForm } from './refund-form.tsx'
import { ReturnForm } from './return-form.tsx'
import { ShipForm } from './ship-form.tsx'
import { Shipping } from './shipping.tsx'
import { Timeline } from './timeline.tsx'

/** Everything about an order on one page. */
export function Order(props: ItemProps) {
  const { answer } = props
  const order = answer.body
  const { items, shipping, payments, parcels, returns, refunds, user, reload } = useParts(props)
  const [dialog, setDialog] = useState<OrderDialog>()
  const refundLink = linkOf(order, 'refunds')
  const returnLink = linkOf(order, 'return')
  const close = () => setDialog(undefined)
  const finish = () => {
    close()
    announce(word('done'))
    void reload()
  }
  return (
    <article class="item order">
      <Head
        {...props}
        reload={reload}
        except={['ship', 'send', 'return']}
        title={word('order', { id: String(order.number) })}
      >
        {order.source === 'import' && <Badge text="import" />}
        <Buttons order={order} onChoose={setDialog} />
      </Head>
      <div class="columns wide-first">
        <div class="stack">
          <Items order={order} items={items} />
          <Parcels parcels={parcels} items={items} onChanged={reload} />
          <Returns returns={returns} items={items} onChanged={reload} />
          <Money title={word('payments')} entries={payments} />
          <Money title={word('refunds')} entries={refunds} />
        </div>
        <div class="stack">
          <Shipping answer={shipping} onChanged={reload} />
          <Customer order={order} user={user} />
          <Timeline
            key={String(order.updated_at)}
            order={order}
            shipping={shipping?.body}
            payments={payments}
            refunds={refunds}
          />
        </div>
      </div>
      <PackingSlip order={order} items={items} shipping={shipping?.body} />
      {dialog === 'ship' && linkOf(order, 'ship') && (
        <ShipForm
          {...{ answer, shipping, items, refunds }}
          onDone={finish}
          onStale={reload}
          onClose={close}
        />
      )}
      {dialog === 'return' && returnLink && (
        <ReturnForm
          order={order}
          items={items}
          href={returnLink.href}
          onDone={finish}
          onClose={close}
        />
      )}
      {dialog === 'refund' && refundLink && (
        <RefundForm
          order={order}
          items={items}
          refunds={refunds}
          href={refundLink.href}
          left={leftToRefund(order)}
          onDone={finish}
          onClose={close}
        />
      )}
    </article>
  )
}

/** An order has at most 100 items. */
const all = '?limit=100'

/** Reads what belongs to an order; `reload` reads again what its changes change. */
function useParts({ answer: { body: order }, reload }: ItemProps) {
  const read = (name: string, query = '') => {
    const link = linkOf(order, name)
    return useReading(link && link.href + query)
  }
  const items = read('items', all)
  const shipping = read('shipping')
  const payments = read('payments', all)
  const parcels = read('parcels', all)
  const returns = read('returns', all)
  const refunds = read('refunds', all)
  const user = read('user')
  return {
    items: entriesOf(items.answer?.body),
    shipping: shipping.answer,
    parcels: entriesOf(parcels.answer?.body),
    returns: entriesOf(returns.answer?.body),
    payments: entriesOf(payments.answer?.body),
    refunds: entriesOf(refunds.answer?.body),
    user: user.answer?.body,
    reload: async () => {
      const parts = [items, shipping, parcels, returns, payments, refunds]
      await Promise.all([reload(), ...parts.map((part) => part.reload())])
    },
  }
}

type OrderDialog = 'ship' | 'refund' | 'return'

/** What an administrator does with an order here, besides its other links. */
function Buttons({
  order,
  onChoose,
}: {
  readonly order: Body
  readonly onChoose: (dialog: OrderDialog) => void
}) {
  const { document: api } = useShop()
  return (
    <>
      <button type="button" class="quiet" onClick={() => print()}>
        <Icon name="print" />
        {word('packingSlip')}
      </button>
      {mayRefund(order, api) && (
        <button type="button" onClick={() => onChoose('refund')}>
          {word('refund')}
        </button>
      )}
      {linkOf(order, 'return') && (
        <button type="button" data-link="return" onClick={() => onChoose('return')}>
          {nameInWords('return')}
        </button>
      )}
      {linkOf(order, 'ship') && (
        <button type="button" class="main" data-link="ship" onClick={() => onChoose('ship')}>
          {word('ship')}
        </button>
      )}
    </>
  )
}

/** True if the user may refund the order, and something of it is left to refund. */
function mayRefund(order: Body, api: ApiDocument): boolean {
  const link = linkOf(order, 'refunds')
  return (
    link !== undefined &&
    api.permitted('POST', link.href) !== undefined &&
    ['paid', 'shipped', 'delivered'].includes(String(order.status)) &&
    leftToRefund(order) > 0
  )
}

const money = (value: Json | undefined): string => formatMoney(Number(value ?? 0))

/** The name of an item, which leads to its product if there is one. */
function ItemName({ item }: { readonly item: Body }) {
  const product = linkOf(item, 'product')
  const name = String(item.name)
  return product ? <a href={pageOf(product.href)}>{name}</a> : <span>{name}</span>
}

function Items({ order, items }: { readonly order: Body; readonly items: readonly Body[] }) {
  const sums: readonly (readonly [string, Json | undefined, boolean])[] = [
    [word('subtotal'), order.subtotal, true],
    [word('discount'), -Number(order.discount_total), Number(order.discount_total) > 0],
    [word('shipping'), order.shipping_cost, true],
    [word(order.tax_included ? 'taxIncluded' : 'tax'), order.tax, Number(order.tax) > 0],
    [word('totalPrice'), order.total, true],
    [word('refunded'), -Number(order.refunded_total), Number(order.refunded_total) > 0],
  ]
  return (
    <section class="card flush">
      <header>
        <h2>{word('items')}</h2>
      </header>
      <table>
        <thead>
          <tr>
            <th scope="col">{nameInWords('product')}</th>
            <th scope="col" class="end">
              {word('quantity')}
            </th>
            <th scope="col" class="end roomy">
              {word('price')}
            </th>
            <th scope="col" class="end">
              {word('totalPrice')}
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={String(item.id)}>
              <td>
                <ItemName item={item} />
                <div class="quiet-text">{describeOptions(item)}</div>
                <div class="quiet-text">{String(item.sku ?? '')}</div>
              </td>
              <td class="end">{formatNumber(Number(item.quantity))}</td>
              <td class="end roomy">{money(item.unit_price)}</td>
              <td class="end">{money(item.line_total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl class="sums">
        {sums
          .filter(([, , isShown]) => isShown)
          .map(([name, value]) => (
            <div key={name} class={name === word('totalPrice') ? 'total' : ''}>
              <dt>{name}</dt>
              <dd>{money(value)}</dd>
            </div>
          ))}
      </dl>
      {order.note && <p class="note">{String(order.note)}</p>}
    </section>
  )
}

/** Payments or refunds: amount, status, and reason or provider. */
function Money({ title, entries }: { readonly title: string; readonly entries: readonly Body[] }) {
  if (entries.length === 0) return null
  return (
    <section class="card">
      <header>
        <h2>{title}</h2>
      </header>
      <ul class="lines">
        {entries.map((entry) => (
          <li key={String(entry.id)}>
            <span class="amount">{formatMoney(Number(entry.amount))}</span>
            <Badge text={String(entry.status)} />
            <span class="quiet-text grow">
              {String(entry.reason ?? entry.provider_reference ?? entry.provider ?? '')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Customer({ order, user }: { readonly order: Body; readonly user: Body | undefined }) {
  const contact = (order.contact ?? {}) as Body
  const link = linkOf(order, 'user')
  const name = user?.name ?? contact.name
  return (
    <section class="card">
      <header>
        <h2>{word('customer')}</h2>
      </header>
      <p>
        {link ? (
          <a href={pageOf(link.href)}>{String(name ?? link.href)}</a>
        ) : (
          String(name ?? word('none'))
        )}
      </p>
      <p class="quiet-text">{String(user?.email ?? contact.email ?? '')}</p>
    </section>
  )
}
