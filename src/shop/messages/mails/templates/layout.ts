import { Html, html } from '#http/html/html.ts'
import { type Block, type MailContent, type MailStyle, translatorOf } from './content.ts'

// Programs that show mails know tables and inline styles; those with a dark mode know media queries.
const font =
  "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','PingFang SC','Microsoft YaHei',Arial,sans-serif"
const styles = {
  page: `margin:0;padding:0;background:#f3f4f1;color:#1d2420;${font};font-size:16px;line-height:1.5`,
  brand: `padding:0 4px 18px;${font};font-size:17px;font-weight:650;letter-spacing:-.01em;color:#14633f`,
  card: 'background:#ffffff;border:1px solid #d5dad6;border-radius:14px',
  body: `padding:32px 28px;${font}`,
  title:
    'margin:0 0 14px;font-size:25px;line-height:1.25;letter-spacing:-.02em;font-weight:700;color:#1d2420',
  text: 'margin:0 0 14px;font-size:16px;line-height:1.55;color:#1d2420;overflow-wrap:anywhere',
  small: 'margin:14px 0 0;font-size:14px;line-height:1.5;color:#57615b;overflow-wrap:anywhere',
  button:
    'display:inline-block;padding:13px 24px;background:#14633f;border-radius:9px;font-size:16px;font-weight:650;line-height:1.25;color:#ffffff;text-decoration:none',
  link: 'color:#14633f;word-break:break-all',
  table: 'width:100%;border-collapse:collapse',
  name: 'padding:13px 12px 13px 0;border-top:1px solid #e4e8e5;font-size:16px;line-height:1.4;color:#1d2420;overflow-wrap:anywhere',
  detail: 'color:#57615b;font-size:14px',
  amount:
    'padding:13px 0;border-top:1px solid #e4e8e5;font-size:16px;line-height:1.4;text-align:right;vertical-align:top;white-space:nowrap;color:#1d2420',
  label: 'padding:4px 12px 4px 0;font-size:15px;color:#57615b',
  value: 'padding:4px 0;font-size:15px;text-align:right;white-space:nowrap;color:#1d2420',
  sumLabel:
    'padding:12px 12px 0 0;border-top:1px solid #e4e8e5;font-size:18px;font-weight:700;color:#1d2420',
  sum: 'padding:12px 0 0;border-top:1px solid #e4e8e5;font-size:18px;font-weight:700;text-align:right;white-space:nowrap;color:#1d2420',
  panel: 'background:#e9f2ec;border-radius:10px',
  fact: 'padding:10px 16px;font-size:15px;line-height:1.5;color:#1d2420;vertical-align:top;overflow-wrap:anywhere',
  factLabel: 'display:block;font-size:13px;color:#57615b',
  footer: `padding:18px 4px 0;${font};font-size:13px;line-height:1.5;color:#57615b`,
} as const

const darkMode = new Html(`<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #101412 !important; }
  .card { background: #1a201d !important; border-color: #333d38 !important; }
  .text { color: #ecf1ee !important; border-color: #333d38 !important; }
  .quiet { color: #a9b4ae !important; }
  .brand, .link { color: #6fcf9c !important; }
  .button { background: #6fcf9c !important; color: #0a2417 !important; }
  .panel { background: #1d3127 !important; }
}
@media (max-width: 480px) { .body { padding: 24px 20px !important; } }
</style>`)

const presentation = new Html('role="presentation" cellpadding="0" cellspacing="0" border="0"')

/** Renders a mail as HTML: one narrow column, for light and dark screens. */
export function renderHtml(style: MailStyle, { subject, title, blocks }: MailContent): string {
  const footer = translatorOf(style)('footer')
  const { text } = html`<!doctype html>
<html lang="${style.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
${darkMode}
</head>
<body class="page" style="${styles.page}">
<table ${presentation} class="page" width="100%" style="background:#f3f4f1"><tr>
<td align="center" style="padding:32px 14px">
<table ${presentation} width="100%" style="max-width:560px;text-align:left">
<tr><td class="brand" style="${styles.brand}">${style.shopName}</td></tr>
<tr><td class="card" style="${styles.card}">
<div class="body" style="${styles.body}">
<h1 class="text" style="${styles.title}">${title}</h1>
${blocks.map(htmlOf)}
</div>
</td></tr>
<tr><td class="quiet" style="${styles.footer}">${footer}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
  return text
}

function htmlOf(block: Block): Html {
  switch (block.kind) {
    case 'text':
      return html`<p class="text" style="${styles.text}">${block.text}</p>\n`
    case 'small':
      return html`<p class="quiet" style="${styles.small}">${block.text}${
        block.url !== undefined &&
        html`<br><a class="link" href="${block.url}" style="${styles.link}">${block.url}</a>`
      }</p>\n`
    case 'button':
      return button(block)
    case 'items':
      return items(block)
    case 'amounts':
      return amounts(block)
    case 'facts':
      return facts(block)
    default:
      return block satisfies never
  }
}

type BlockOf<K extends Block['kind']> = Extract<Block, { readonly kind: K }>

const button = ({ label, url, hint }: BlockOf<'button'>): Html =>
  html`<p style="margin:22px 0 0"><a class="button" href="${url}" style="${styles.button}">${label}</a></p>
<p class="quiet" style="${styles.small}">${hint}<br><a class="link" href="${url}" style="${styles.link}">${url}</a></p>
`

const items = (block: BlockOf<'items'>): Html =>
  html`<table ${presentation} style="${styles.table};margin-top:22px">
${block.items.map(
  ({ name, detail, amount }) => html`<tr>
<td class="text" style="${styles.name}">${name}<br><span class="quiet" style="${styles.detail}">${detail}</span></td>
<td class="text" style="${styles.amount}">${amount}</td>
</tr>
`,
)}</table>
`

const gap = (style: string): Html =>
  html`<tr><td class="text" colspan="2" style="padding:0 0 9px;font-size:0;line-height:0;${style}">&nbsp;</td></tr>`

const amounts = ({ rows }: BlockOf<'amounts'>): Html =>
  html`<table ${presentation} style="${styles.table};margin-top:${rows.length > 1 ? 0 : 18}px">
${rows.length > 1 && gap('border-top:1px solid #e4e8e5')}
${rows.map(({ label, amount }, at) =>
  at === rows.length - 1
    ? html`${at > 0 && gap('')}<tr><td class="text" style="${styles.sumLabel}">${label}</td><td class="text" style="${styles.sum}">${amount}</td></tr>\n`
    : html`<tr><td class="quiet" style="${styles.label}">${label}</td><td class="text" style="${styles.value}">${amount}</td></tr>\n`,
)}</table>
`

const facts = (block: BlockOf<'facts'>): Html =>
  html`<table ${presentation} class="panel" style="${styles.table};${styles.panel};margin:18px 0 0">
${block.facts.map(
  ({ label, lines }) => html`<tr><td class="text" style="${styles.fact}">
<span class="quiet" style="${styles.factLabel}">${label}</span>
${lines.map((line, at) => html`${at > 0 && html`<br>`}${line}`)}
</td></tr>
`,
)}</table>
`
