import type { MailMessage } from '#shop/messages/mails/delivery/message.ts'
import type { MailContent, MailStyle } from './content.ts'
import { renderHtml } from './layout.ts'
import { renderText } from './plain-text.ts'

/** Renders a mail to an address, as text and as HTML. */
export const renderMail = (style: MailStyle, to: string, content: MailContent): MailMessage => ({
  to,
  // A header field is one line.
  subject: content.subject.replaceAll(/[\p{Cc}\s]+/gu, ' '),
  text: renderText(style, content),
  html: renderHtml(style, content),
  language: style.language,
})
