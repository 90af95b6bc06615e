import { useEffect, useState } from 'preact/hooks'
import { readTable } from '../../api/request.ts'
import { nameInWords, word } from '../../words/words.ts'

/** The fields with members of any name, and what such a member is called. */
const named = { options: 'optionNamed', attributes: 'attributeNamed' } as const

/** Returns the template of a file; its first line has all fields. */
export const templateOf = (resource: string): string => `/imports/templates/${resource}`

/** A field in the words of a shopkeeper: `options.Size` is an option, `address.city` the city of an address. */
export function fieldInWords(field: string): string {
  const [base = '', ...rest] = field.split('.')
  const member = rest.join('.')
  if (member === '') return nameInWords(field)
  const key = Object.entries(named).find(([name]) => name === base)?.[1]
  return key ? word(key, { name: member }) : `${nameInWords(base)}: ${nameInWords(member)}`
}

/** The fields that a column may become: those of the template, and its name as that of an option or a property. */
export function choicesFor(column: string, fields: readonly string[], current: string | null) {
  const isNamed = (field: string) => Object.keys(named).includes(field.split('.')[0] ?? '')
  const own = fields
    .filter(isNamed)
    .map((field) => `${field.split('.')[0]}.${column.trim().slice(0, 50)}`)
  const all = [...fields.filter((field) => !isNamed(field)), ...own]
  return current === null || all.includes(current) ? all : [current, ...all]
}

/** Reads the fields that the rows of a resource have; none before they are read. */
export function useFields(resource: string): readonly string[] {
  const [fields, setFields] = useState<readonly string[]>([])
  useEffect(() => {
    let isShown = true
    void readTable(templateOf(resource))
      .then((text) => {
        if (isShown) setFields(text.split('\r\n', 1)[0]?.split(',') ?? [])
      })
      // Without them, columns stay what they are.
      .catch(() => undefined)
    return () => {
      isShown = false
    }
  }, [resource])
  return fields
}
