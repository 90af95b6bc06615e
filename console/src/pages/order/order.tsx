import { useState } from 'preact/hooks'
import { useReading, useShop } from '../../api/context.ts'
import type { Body, Json } from '../../api/json.ts'
import { linkOf, pageOf } from '../../api/links.ts'
import { entriesOf } from '../../api/request.ts'
import { formatMoney, formatNumber } from '../../format.ts'
import { Action } from '../../forms/actions.tsx'
import { Icon } from '../../parts/icon.tsx'
import { announce } from '../../parts/notice.tsx'
import { Badge, Value } from '../../parts/value.tsx'
import { nameInWords, word } from '../../words/words.ts'
import { Address } from '../address.tsx'
import { Head, type ItemProps } from '../item.tsx'
import { PackingSlip } from './packing-slip.tsx'
import { RefundForm } from './refund-form.tsx'
import { ShipForm } from './ship-form.tsx'
import { Timeline } from './timeline.tsx'

/** Everything about an order on one page. */
export function Order(props: ItemProps) {
  const { answer, reload } = props
  const order = answer.body
  const read = (name: string) => useReading(linkOf(order, name)?.href)
  const items = read('items')
  const shipping = read('shipping')
  const payments = read('payments')
  const refunds = read('refunds')
  const user = read('user')
  const [dialog, setDialog] = useState<'ship' | 'refund'>()
  const reloadAll = async () => {
    await Promise.all([reload(), shipping.reload(), payments.reload(), refunds.reload()])
  }
  const { document: api } = useShop()
  const refundLink = linkOf(order, 'refunds')
  const left = Number(order.total) - Number(order.refunded_total ?? 0)
  const mayRefund =
    refundLink !== undefined &&
    api.permitted('POST', refundLink.href) !== undefined &&
    ['paid', 'shipped', 'delivered'].includes(String(order.status)) &&
    left > 0
  const finish = () => {
    setDialog(undefined)
    announce(word('done'))
    void reloadAll()
  }
  return (
    <article class="item order">
      <Head
        {...props}
        reload={reloadAll}
        except={['ship']}
        title={word('order', { id: `#${String(order.id)}` })}
      >
        <button type="button" class="quiet" onClick={() => print()}>
          <Icon name="print" />
          {word('packingSlip')}
        </button>
        {mayRefund && (
          <button type="button" onClick={() => setDialog('refund')}>
            {word('refund')}
          </button>
        )}
        {linkOf(order, 'ship') && (
          <button type="button" class="main" data-link="ship" onClick={() => setDialog('ship')}>
            {word('ship')}
          </button>
        )}
      </Head>
      <div class="columns wide-first">
        <div class="stack">
          <Items order={order} items={entriesOf(items.answer?.body)} />
          <Money title={word('payments')} entries={entriesOf(payments.answer?.body)} />
          <Money title={word('refunds')} entries={entriesOf(refunds.answer?.body)} />
        </div>
        <div class="stack">
          <Shipping answer={shipping.answer} onChanged={reloadAll} />
          <Customer order={order} user={user.answer?.body} />
          <Timeline
            key={String(order.updated_at)}
            order={order}
            shipping={shipping.answer?.body}
            payments={entriesOf(payments.answer?.body)}
            refunds={entriesOf(refunds.answer?.body)}
          />
        </div>
      </div>
      <PackingSlip
        order={order}
        items={entriesOf(items.answer?.body)}
        shipping={shipping.answer?.body}
      />
      {dialog === 'ship' && (
        <ShipForm
          answer={answer}
          shipping={shipping.answer}
          onDone={finish}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'refund' && refundLink && (
        <RefundForm
          order={order}
          items={entriesOf(items.answer?.body)}
          href={refundLink.href}
          left={left}
          onDone={finish}
          onClose={() => setDialog(undefined)}
        />
      )}
    </article>
  )
}

const money = (value: Json | undefined, order: Body): string =>
  formatMoney(Number(value ?? 0), String(order.currency))

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
                <a href={pageOf(linkOf(item, 'product')?.href ?? '')}>{String(item.name)}</a>
                <div class="quiet-text">{String(item.sku ?? '')}</div>
              </td>
              <td class="end">{formatNumber(Number(item.quantity))}</td>
              <td class="end roomy">{money(item.unit_price, order)}</td>
              <td class="end">{money(item.line_total, order)}</td>
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
              <dd>{money(value, order)}</dd>
            </div>
          ))}
      </dl>
      {order.note && <p class="note">{String(order.note)}</p>}
    </section>
  )
}

/** Payments or refunds: amount, state and what they rest on. */
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
            <span class="amount">{formatMoney(Number(entry.amount), String(entry.currency))}</span>
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

function Shipping({
  answer,
  onChanged,
}: {
  readonly answer: ItemProps['answer'] | undefined
  readonly onChanged: () => Promise<void>
}) {
  const [isEditing, setEditing] = useState(false)
  if (!answer) return null
  const shipping = answer.body
  const update = linkOf(shipping, 'update') ?? linkOf(shipping, 'edit')
  return (
    <section class="card">
      <header>
        <h2>{word('shipping')}</h2>
        <Badge text={String(shipping.status)} />
      </header>
      <Address shipping={shipping} />
      <dl class="pairs">
        {['method', 'carrier', 'tracking_number', 'shipped_at', 'delivered_at'].map((name) =>
          shipping[name] === null ? null : (
            <div key={name}>
              <dt>{nameInWords(name)}</dt>
              <dd>
                {name === 'method' ? (
                  nameInWords(String(shipping.method))
                ) : (
                  <Value
                    value={shipping[name]}
                    schema={/_at$/.test(name) ? { format: 'date-time' } : {}}
                    name={name}
                  />
                )}
              </dd>
            </div>
          ),
        )}
      </dl>
      <footer>
        {typeof shipping.tracking_url === 'string' && (
          <a href={shipping.tracking_url} target="_blank" rel="noreferrer">
            {word('track')}
          </a>
        )}
        {update && (
          <button type="button" data-link={update.name} onClick={() => setEditing(true)}>
            {word('edit')}
          </button>
        )}
      </footer>
      {isEditing && update && (
        <Action
          link={update}
          answer={answer}
          onDone={async () => {
            await onChanged()
            setEditing(false)
          }}
          onStale={onChanged}
          onClose={() => setEditing(false)}
        />
      )}
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
