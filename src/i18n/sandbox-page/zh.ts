import type { SandboxMessages } from './en.ts'

/** The messages of the page of the payment sandbox in Chinese. */
export const zh: SandboxMessages = {
  'ask.title': '确认付款',
  'ask.lead': '您的银行需要确认是您本人操作。',
  'ask.amount': '金额',
  'ask.approve': '批准',
  'ask.refuse': '拒绝',
  'approved.title': '付款已批准',
  'approved.text': '谢谢，付款成功。',
  'declined.title': '付款被拒绝',
  'declined.text': '未向您收款。您可以在商店使用其他银行卡重试。',
  'cancelled.title': '付款已取消',
  'cancelled.text': '此付款已取消。未向您收款。',
  'unknown.title': '找不到页面',
  'unknown.text': '地址有误，或该付款早已结束。',
  'failed.title': '操作未成功',
  'failed.text': '请稍后重新打开此页面。',
  'foreign.text': '该请求并非来自此页面。请重新打开页面后再作决定。',
  return: '返回商店',
  close: '您可以关闭此页面。',
  sandbox: '这是测试银行，不会发生真实的资金往来。',
}
