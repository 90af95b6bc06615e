import type { MailMessages } from './en.ts'

/** The messages of mails in Chinese. */
export const zh: MailMessages = {
  greeting: '{name}，您好！',
  greeting_unnamed: '您好！',
  'confirmation.subject': '订单 {order} 已确认',
  'confirmation.title': '感谢您的订购',
  'confirmation.text': '我们已收到您的订单，正在备货。发货时会再通知您。',
  'shipped.subject': '订单 {order} 已发货',
  'shipped.title': '您的订单已发货',
  'shipped.text': '您的订单已经寄出，正在送往您处。',
  'shipped.track': '查询包裹',
  'shipped.carrier': '承运商',
  'shipped.number': '运单号',
  'part.subject': '订单 {order} 的部分商品已发出',
  'part.title': '您的部分商品已发出',
  'part.text': '以下商品已经发出，正在送往您处。',
  'pickup.subject': '订单 {order} 可以自取了',
  'pickup.title': '您的订单已备好',
  'pickup.text': '您现在可以来取货了。',
  'refunded.subject': '订单 {order} 的退款',
  'refunded.title': '您的退款已发出',
  'refunded.text': '我们已为您的订单退款。视银行而定，到账需要几天时间。',
  'refunded.amount': '此订单已退款',
  'cancelled.subject': '订单 {order} 已取消',
  'cancelled.title': '您的订单已取消',
  'cancelled.text':
    '该订单尚未付款，而另一位买家需要它占用的商品。您没有付款。有库存的商品可以重新订购。',
  'displaced.subject': '订单 {order} 已取消',
  'displaced.title': '您的订单已取消',
  'displaced.text':
    '该订单尚未付款，而另一位买家需要它占用的折扣。您没有付款。您可以重新订购，不使用该折扣也可以。',
  'reset.subject': '设置新密码',
  'reset.title': '设置新密码',
  'reset.text':
    '有人为您在 {shop} 的账户申请了新密码。如果是您本人，请现在设置。此链接只能使用一次，一小时内有效。',
  'reset.button': '设置密码',
  'reset.ignore': '如果不是您本人，请忽略此邮件：您的密码不会改变。',
  'verify.subject': '确认您的电子邮箱',
  'verify.title': '这是您的邮箱吗？',
  'verify.text':
    '有人用您的邮箱在 {shop} 注册了账户。如果是您本人，请确认邮箱：该账户将收到您的邮件，并显示用此邮箱下的订单。如果不是您，请不要确认。此链接三天内有效。',
  'verify.button': '确认邮箱',
  'verify.disown': '您没有在 {shop} 注册？请在此终止账户对您邮箱的使用：',
  'verify.ignore': '如果您在 {shop} 没有账户，请忽略此邮件。',
  'moved.subject': '您的电子邮箱已更改',
  'moved.text':
    '您在 {shop} 的账户的电子邮箱已更改，时间：{time}。此邮件发送至原邮箱。如果是您本人操作，则无需处理。',
  'moved.protect':
    '如果不是您本人，请用您的用户名或此邮箱和密码登录，设置新密码（其他所有会话将随之结束），并重新填写您的邮箱。如果无法登录，请联系 {shop}。',
  'moved.undo':
    '如果不是您本人，请在 72 小时内撤销更改。这将恢复此邮箱，并终止账户的所有会话、API 密钥和密码；之后请设置新密码。',
  'moved.button': '撤销更改',
  'erasure.subject': '您的账户将被删除',
  'erasure.text':
    '您在 {shop} 的账户和个人数据将于 {time} 删除：有人提出了请求，或由代表您或 {shop} 的程序提出。如果这是您的意愿，则无需处理。',
  'erasure.withdraw':
    '如果不是，请通过“忘记密码”用此邮箱设置新密码：这将撤回删除，并终止所有会话和 API 密钥。您也可以登录后撤回。',
  link: '如果按钮无法使用，请打开此地址：',
  order: '订单',
  date: '日期',
  subtotal: '小计',
  discount: '折扣',
  shipping: '运费',
  tax: '税费',
  tax_included: '含税',
  total: '合计',
  address: '收货地址',
  note: '您的备注',
  footer: '此邮件由 {shop} 因您的订单或账户而发送。',
}
