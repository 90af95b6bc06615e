import type { SentStatement } from './wire.ts'

/** Numbers that nothing else in a statement is, and the variable of pgbench that each stands for. */
export type Stand = ReadonlyMap<string, string>

/**
 * Writes the statements of one act as a script of pgbench, each as it was sent but for the values:
 * numbers of `stand` become variables, and the moment is a later one each time. Statements that were
 * sent together are sent together, but for those of which one's result is kept: pgbench cannot keep
 * one of a pipeline.
 */
export function scriptOf(
  statements: readonly SentStatement[],
  stand: Stand,
  settings: readonly string[],
): string {
  const lines = [...settings]
  const moments = statements.flatMap(({ parameters }) => parameters.filter(isMoment)).map(Number)
  const fill = { stand, earliest: Math.min(...moments) }
  for (const together of togetherIn(statements)) {
    const isPipeline = together.length > 1 && !together.some(isKept)
    if (isPipeline) lines.push('\\startpipeline')
    for (const statement of together) {
      const text = filled(statement, fill)
      lines.push(isKept(statement) ? `${text} \\aset` : `${text};`)
    }
    if (isPipeline) lines.push('\\endpipeline')
  }
  return `${lines.join('\n')}\n`
}

/** A later statement is filled with the id that this one draws. */
const isKept = ({ sql }: SentStatement): boolean => sql.includes('nextval')

/** The statements, those that were sent without waiting for an answer between them together. */
function togetherIn(statements: readonly SentStatement[]): readonly (readonly SentStatement[])[] {
  const groups: SentStatement[][] = []
  for (const statement of statements) {
    const last = groups.at(-1)
    const isFollowing = statement.isPipelined && last?.[0]?.connection === statement.connection
    if (isFollowing) last.push(statement)
    else groups.push([statement])
  }
  return groups
}

interface Fill {
  readonly stand: Stand
  readonly earliest: number
}

function filled({ sql, parameters }: SentStatement, fill: Fill): string {
  const text = sql.replaceAll(/\$(\d+)/g, (_, place) => expressionOf(parameters[place - 1], fill))
  return text.replaceAll(/\s*\n\s*/g, ' ')
}

function expressionOf(value: string | null | undefined, { stand, earliest }: Fill): string {
  if (value === null || value === undefined) return 'null'
  if (isMoment(value)) return `(:moment::bigint + ${Number(value) - earliest})`
  const numbers = [...stand.keys()].join('|')
  const parts = value.split(new RegExp(`(${numbers})`)).filter((part) => part !== '')
  const terms = parts.map((part) => {
    const name = stand.get(part)
    return name === undefined ? `'${part.replaceAll("'", "''")}'` : `:${name}`
  })
  if (terms.length === 0) return "''"
  return terms.length === 1 ? (terms[0] ?? '') : `(${terms.join(' || ')})`
}

/** Milliseconds of a moment of these years. */
const isMoment = (value: string | null): boolean => /^1[789]\d{11}$/.test(value ?? '')
