import type { AccountPageMessages } from './en.ts'

/** The messages of the pages that the links in mails open in Chinese. */
export const zh: AccountPageMessages = {
  'reset.title': '设置新密码',
  'reset.lead': '密码至少 8 个字符。之后所有设备都会退出登录。',
  'reset.password': '新密码',
  'reset.submit': '保存密码',
  'reset.done.title': '密码已更改',
  'reset.done.text': '您现在可以用新密码登录。',
  'verify.title': '确认您的邮箱',
  'verify.lead':
    '您是否用此邮箱在 {shop} 注册了账户？该账户将收到您的邮件，并显示用此邮箱下的订单。',
  'verify.submit': '确认',
  'proof.password': '该账户的密码',
  'proof.wrong': '密码不正确。',
  'verify.done.title': '谢谢',
  'verify.done.text': '您的邮箱已确认。',
  'disown.title': '您没有注册？',
  'disown.lead':
    '有人在 {shop} 的账户中使用了此邮箱。此操作会将邮箱从该账户中移除，并终止其中创建的一切：会话、API 密钥和 Webhook。',
  'disown.submit': '我没有注册',
  'disown.done.title': '您的邮箱已释放',
  'disown.done.text': '{shop} 的任何账户都不再使用它。',
  'undo.title': '撤销邮箱更改',
  'undo.lead':
    '您在 {shop} 的账户将恢复此邮箱。所有会话、API 密钥和密码都将终止；之后请设置新密码。',
  'undo.submit': '撤销更改',
  'undo.done.title': '您的邮箱已恢复',
  'undo.done.text': '现在请用此邮箱申请新密码。',
  'gone.title': '此链接已失效',
  'gone.text': '它只能使用一次，并且有时间限制。请重新申请邮件。',
  'failed.title': '操作未成功',
  'failed.text': '请稍后再试。',
  close: '您可以关闭此页面。',
}
