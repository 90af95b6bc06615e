import { type Block, type MailContent, type MailStyle, translatorOf } from './content.ts'

const rule = '-'.repeat(40)

/** Renders a mail as plain text. */
export function renderText(style: MailStyle, { title, blocks }: MailContent): string {
  const parts = [title, ...blocks.map(textOf), `-- \n${translatorOf(style)('footer')}`]
  return `${parts.map(withoutControls).join('\n\n')}\n`
}

/** Removes what a terminal could obey; line breaks stay. */
const withoutControls = (text: string): string => text.replaceAll(/[^\P{Cc}\n]/gu, ' ')

function textOf(block: Block): string {
  switch (block.kind) {
    case 'text':
      return block.text
    case 'small':
      return block.url === undefined ? block.text : `${block.text}\n${block.url}`
    case 'button':
      return `${block.label}:\n${block.url}`
    case 'items':
      return block.items
        .map(({ name, detail, amount }) => `${name}\n  ${detail}  =  ${amount}`)
        .join('\n')
    case 'amounts':
      return [rule, ...block.rows.map(({ label, amount }) => `${label}: ${amount}`)].join('\n')
    case 'facts':
      return block.facts.map(({ label, lines }) => [`${label}:`, ...lines].join('\n')).join('\n\n')
    default:
      return block satisfies never
  }
}
