import { useState } from 'preact/hooks'
import { readTable } from '../api/request.ts'
import { describeError, Problem } from './notice.tsx'

/** Reads a table and lets the browser save it. Throws an ApiProblem. */
async function saveTable(href: string, fileName: string): Promise<void> {
  // Excel needs the mark to read it as UTF-8.
  const file = new Blob(['\ufeff', await readTable(href)], { type: 'text/csv' })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = fileName
  link.click()
  URL.revokeObjectURL(link.href)
}

/** A button that saves a table as a CSV file. */
export function SaveTable({
  href,
  fileName,
  text,
}: {
  readonly href: string
  readonly fileName: string
  readonly text: string
}) {
  const [problem, setProblem] = useState('')
  const save = () => {
    setProblem('')
    saveTable(href, fileName).catch((error) => setProblem(describeError(error)))
  }
  return (
    <>
      <button type="button" onClick={save}>
        {text}
      </button>
      <Problem text={problem} />
    </>
  )
}
