import { pictureOf } from './art.ts'
import { el, field, showErrors } from './element.ts'
import {
  attempt,
  type Cart,
  currentUser,
  money,
  type Order,
  shop,
  showCount,
  toast,
} from './shop.ts'

const reload = () => dispatchEvent(new HashChangeEvent('hashchange'))
const cards = [
  ['tok_visa', 'Visa •••• 4242', 'Paid at once'],
  ['tok_3ds', 'Mastercard •••• 3155', 'Your bank asks you to confirm (3-D Secure)'],
  ['tok_declined', 'Visa •••• 0002', 'The bank declines'],
] as const

const totals = (rows: readonly (readonly [string, string])[]) =>
  el(
    'dl',
    { class: 'totals' },
    rows.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]),
  )

const totalsOfOrder = (order: Order) => {
  const amount = (value: number) => money(value, order.currency)
  return totals([
    ['Subtotal', amount(order.subtotal)],
    ...(order.discount
      ? ([[`Discount ${order.discount.code}`, `−${amount(order.discount_total)}`]] as const)
      : []),
    ['Shipping', amount(order.shipping_cost)],
    [order.tax_included ? 'Tax included' : 'Tax', amount(order.tax)],
    ['Total', amount(order.total)],
  ])
}

const emptyCart = () =>
  el(
    'div',
    { class: 'empty' },
    el('h1', {}, 'Your cart is empty'),
    el('p', {}, 'A good pan is a good place to start.'),
    el('a', { class: 'button', href: '#/' }, 'Browse the shop'),
  )

function discountForm(cart: Cart): HTMLElement {
  const form: HTMLFormElement = el(
    'form',
    {
      class: 'discount',
      submit: (event: Event) => {
        event.preventDefault()
        const code = String(new FormData(form).get('code'))
        void attempt(form, async () => {
          await cart.applyDiscount({ code })
          toast(`The code ${code.toUpperCase()} is applied.`)
          reload()
        })
      },
    },
    el('label', { for: 'code' }, 'Discount code'),
    el('input', { id: 'code', name: 'code', required: true, autocomplete: 'off' }),
    el('button', { class: 'quiet' }, 'Apply'),
  )
  return form
}

/** Shows the cart. */
export async function showCart(): Promise<HTMLElement> {
  const user = await currentUser()
  const cart = user && (await shop.cart.get())
  showCount(cart?.item_count ?? 0)
  if (!cart || cart.items.length === 0) return emptyCart()
  const amount = (value: number) => money(value, cart.currency)
  const line = (item: Cart['items'][number]) => {
    const quantity = el('input', {
      id: `quantity-${item.id}`,
      type: 'number',
      min: 1,
      max: 999,
      value: item.quantity,
    })
    const row = el(
      'li',
      {},
      el('div', { class: 'frame' }, pictureOf({ name: item.name, category: null })),
      el('a', { href: `#/products/${item.product_id}` }, item.name),
      el('label', { class: 'hidden', for: quantity.id }, `Quantity of ${item.name}`),
      quantity,
      el('span', { class: 'price' }, amount(item.line_total)),
      el(
        'button',
        {
          type: 'button',
          class: 'plain',
          'aria-label': `Remove ${item.name}`,
          click: () => attempt(row, () => item.delete().then(reload)),
        },
        'Remove',
      ),
    )
    quantity.addEventListener(
      'change',
      () => void attempt(row, () => item.update({ quantity: quantity.valueAsNumber }).then(reload)),
    )
    return row
  }
  return el(
    'div',
    { class: 'columns' },
    el(
      'section',
      {},
      el('h1', {}, 'Your cart'),
      el('ul', { class: 'lines' }, cart.items.map(line)),
    ),
    el(
      'aside',
      { class: 'summary', 'aria-label': 'Summary' },
      el('h2', {}, 'Summary'),
      totals([
        ['Subtotal', amount(cart.subtotal)],
        ...(cart.discount
          ? ([[`Discount ${cart.discount.code}`, `−${amount(cart.discount_total)}`]] as const)
          : []),
        ['Total before shipping', amount(cart.subtotal - cart.discount_total)],
      ]),
      cart.discount
        ? el(
            'button',
            { type: 'button', class: 'plain', click: () => cart.removeDiscount().then(reload) },
            'Remove the discount',
          )
        : discountForm(cart),
      el('a', { class: 'button', href: '#/checkout' }, 'Check out'),
    ),
  )
}

async function pay(order: Order, token: string): Promise<void> {
  const payment = await order.pay({
    method: 'card',
    token,
    return_url: `${location.origin}/?order=${order.id}`,
  })
  if (payment.next_action?.url) location.assign(payment.next_action.url)
  else location.hash = `#/orders/${order.id}`
}

const payChoice = () =>
  el(
    'fieldset',
    {},
    el('legend', {}, 'Payment'),
    cards.map(([token, name, hint], index) =>
      el(
        'label',
        { class: 'option' },
        el('input', { type: 'radio', name: 'token', value: token, checked: index === 0 }),
        el('span', {}, el('b', {}, name), hint),
      ),
    ),
  )

/** Shows the form that orders the cart and pays. */
export async function showCheckout(): Promise<HTMLElement> {
  const [user, methods] = await Promise.all([currentUser(), shop.shippingMethods.list()])
  const cart = user && (await shop.cart.get())
  if (!user || !cart?.can('checkout')) return emptyCart()
  const amount = (value: number) => money(value, cart.currency)
  let order: Order | undefined
  const form: HTMLFormElement = el(
    'form',
    {
      class: 'columns',
      submit: (event: Event) => {
        event.preventDefault()
        const data = new FormData(form)
        const text = (name: string) => String(data.get(name) ?? '')
        void attempt(
          side,
          async () => {
            const name = text('name')
            if (user.role === 'guest')
              await (await user.user()).update({ name, email: text('email') })
            order ??= await cart.checkout({
              shipping: {
                method: text('method'),
                recipient: name,
                address: {
                  line1: text('address.line1'),
                  city: text('address.city'),
                  postal_code: text('address.postal_code'),
                  country: text('address.country') as 'GB',
                },
              },
            })
            showCount(0)
            await pay(order, text('token'))
          },
          ({ errors }) =>
            showErrors(
              form,
              errors.map((error) => ({ ...error, field: error.field.replace('shipping.', '') })),
            ),
        )
      },
    },
    el(
      'div',
      {},
      el('h1', {}, 'Checkout'),
      el(
        'fieldset',
        {},
        el('legend', {}, 'Contact'),
        field('Full name', 'name', {
          autocomplete: 'name',
          value: user.role === 'guest' ? '' : user.name,
        }),
        user.role === 'guest' && field('E-mail', 'email', { type: 'email', autocomplete: 'email' }),
      ),
      el(
        'fieldset',
        { class: 'address' },
        el('legend', {}, 'Delivery address'),
        field('Street and number', 'address.line1', { autocomplete: 'address-line1' }),
        field('Postcode', 'address.postal_code', { autocomplete: 'postal-code' }),
        field('City', 'address.city', { autocomplete: 'address-level2' }),
        field('Country code', 'address.country', {
          autocomplete: 'country',
          maxlength: 2,
          pattern: '[A-Z]{2}',
          value: 'GB',
        }),
      ),
      el(
        'fieldset',
        {},
        el('legend', {}, 'Shipping'),
        methods.data.map(({ code, name, price, delivery_days }, index) =>
          el(
            'label',
            { class: 'option' },
            el('input', { type: 'radio', name: 'method', value: code, checked: index === 0 }),
            el(
              'span',
              {},
              el('b', {}, name),
              delivery_days ? `${delivery_days} working days` : 'Ready tomorrow',
            ),
            el('span', { class: 'price' }, price === 0 ? 'Free' : amount(price)),
          ),
        ),
      ),
      payChoice(),
    ),
    el('div', { class: 'side' }),
  )
  const side = el(
    'aside',
    { class: 'summary', 'aria-label': 'Summary' },
    el('h2', {}, 'Your order'),
    el(
      'ul',
      { class: 'brief' },
      cart.items.map((item) =>
        el('li', {}, `${item.quantity} × ${item.name}`, el('span', {}, amount(item.line_total))),
      ),
    ),
    totals([['Before shipping', amount(cart.subtotal - cart.discount_total)]]),
    el('button', {}, 'Place the order and pay'),
    el('p', { class: 'muted' }, 'This is the sandbox: no money moves.'),
  )
  form.querySelector('.side')?.replaceWith(side)
  return form
}

/** Shows an order: what was bought, or how to pay for it; a guest can register. */
export async function showOrder(id: string): Promise<HTMLElement> {
  const [order, user] = await Promise.all([
    shop.orders.get(id, { include: ['items', 'payments'] }),
    currentUser(),
  ])
  const isWaiting = order.payments?.some(({ status }) =>
    ['pending', 'action_required'].includes(status),
  )
  if (isWaiting) setTimeout(() => location.hash === `#/orders/${id}` && reload(), 1000)
  const payForm: HTMLFormElement = el(
    'form',
    {
      submit: (event: Event) => {
        event.preventDefault()
        void attempt(payForm, () =>
          pay(order, String(new FormData(payForm).get('token'))).then(reload),
        )
      },
    },
    payChoice(),
    el('button', {}, `Pay ${money(order.total, order.currency)}`),
  )
  const heading: Readonly<Record<string, string>> = {
    paid: 'Thank you for your order',
    pending: isWaiting ? 'Waiting for your bank …' : 'Your order waits for its payment',
    cancelled: 'This order was cancelled',
  }
  const failed =
    order.status === 'pending' && order.payments?.some(({ status }) => status === 'failed')
  return el(
    'div',
    { class: 'columns' },
    el(
      'section',
      {},
      el(
        'p',
        { class: `mark ${order.status}`, 'aria-hidden': 'true' },
        order.status === 'paid' ? '✓' : '…',
      ),
      el('h1', {}, heading[order.status] ?? `Your order is ${order.status}`),
      el(
        'p',
        { class: 'lead' },
        `Order ${order.id}, placed ${new Date(order.created_at).toLocaleDateString('en', { dateStyle: 'long' })}.`,
      ),
      failed &&
        !isWaiting &&
        el(
          'p',
          { class: 'alert', role: 'alert' },
          'The payment did not go through, and nothing was charged. Try another card.',
        ),
      order.can('pay') && !isWaiting && payForm,
      user?.role === 'guest' && order.status === 'paid' && registerForm(),
    ),
    el(
      'aside',
      { class: 'summary', 'aria-label': 'Summary' },
      el('h2', {}, 'Summary'),
      el(
        'ul',
        { class: 'brief' },
        order.items?.map((item) =>
          el(
            'li',
            {},
            `${item.quantity} × ${item.name}`,
            el('span', {}, money(item.line_total, order.currency)),
          ),
        ),
      ),
      totalsOfOrder(order),
    ),
  )
}

function registerForm(): HTMLElement {
  const form: HTMLFormElement = el(
    'form',
    {
      class: 'card-form',
      submit: (event: Event) => {
        event.preventDefault()
        const data = new FormData(form)
        const [username, password] = [String(data.get('username')), String(data.get('password'))]
        void attempt(
          form,
          async () => {
            await (await (await shop.profile()).user()).register({ username, password })
            await shop.login({ username, password })
            toast('Your account is ready, and holds this order.')
            location.hash = '#/account'
          },
          ({ errors }) => showErrors(form, errors),
        )
      },
    },
    el('h2', {}, 'Keep track of it'),
    el('p', { class: 'muted' }, 'Choose a name and a password, and this order is in your account.'),
    field('Username', 'username', { autocomplete: 'username' }),
    field('Password', 'password', { type: 'password', autocomplete: 'new-password', minlength: 8 }),
    el('button', {}, 'Create the account'),
  )
  return form
}

/** Shows the orders of a customer, or the form to sign in. */
export async function showAccount(): Promise<HTMLElement> {
  const user = await currentUser()
  if (user && user.role !== 'guest') {
    const { data } = await shop.orders.list({ sort: 'created_at', order: 'desc' })
    return el(
      'section',
      { class: 'narrow' },
      el('h1', {}, `Hello, ${user.name}`),
      data.length === 0 && el('p', { class: 'muted' }, 'You have not ordered anything yet.'),
      el(
        'ul',
        { class: 'orders' },
        data.map((order) =>
          el(
            'li',
            {},
            el('a', { href: `#/orders/${order.id}` }, `Order ${order.id}`),
            el('span', { class: 'tag' }, order.status),
            el('span', { class: 'price' }, money(order.total, order.currency)),
          ),
        ),
      ),
      el('button', { type: 'button', class: 'quiet', click: () => signOut() }, 'Sign out'),
    )
  }
  const form: HTMLFormElement = el(
    'form',
    {
      class: 'card-form narrow',
      submit: (event: Event) => {
        event.preventDefault()
        const data = new FormData(form)
        void attempt(form, async () => {
          await shop.login({
            username: String(data.get('username')),
            password: String(data.get('password')),
          })
          showCount((await shop.cart.get()).item_count)
          reload()
        })
      },
    },
    el('h1', {}, 'Sign in'),
    field('Username or e-mail', 'username', { autocomplete: 'username' }),
    field('Password', 'password', { type: 'password', autocomplete: 'current-password' }),
    el('button', {}, 'Sign in'),
    el('p', { class: 'muted' }, 'New here? Buy as a guest; you can register afterwards.'),
  )
  return form
}

async function signOut(): Promise<void> {
  const current = await shop.sessions.list()
  const session = current.data.find((one) => one.is_current)
  await session?.delete()
  showCount(0)
  location.hash = '#/'
}
