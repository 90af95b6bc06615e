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
  'verify.lead': '您想用此邮箱接收 {shop} 的邮件吗？',
  'verify.submit': '确认',
  'verify.done.title': '谢谢',
  'verify.done.text': '您的邮箱已确认。',
  'gone.title': '此链接已失效',
  'gone.text': '它只能使用一次，并且有时间限制。请重新申请邮件。',
  'failed.title': '操作未成功',
  'failed.text': '请稍后再试。',
  close: '您可以关闭此页面。',
}
