/** The address of a database, whose host may be a list. */
export interface HostList {
  /** The address of each host, in order. */
  readonly all: readonly URL[]
  /** The hosts and ports as they were written. */
  readonly hosts: string
  /** The address of the first host. */
  readonly first: URL
  /** The whole address without its password. */
  readonly withoutPassword: string
}

/**
 * Parses the URL of a PostgreSQL database, `postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/NAME`; undefined for any
 * other text.
 */
export function parseHostList(text: string): HostList | undefined {
  const parts = /^(postgres(?:ql)?:\/\/)(?:([^:/?#]*)(:[^/?#]*)?@)?([^/?#]*)(.*)$/.exec(text)
  if (parts === null) return undefined
  const [, scheme = '', user, password = '', hosts = '', end = ''] = parts
  const start = user === undefined ? scheme : `${scheme}${user}${password}@`
  const list = hosts.split(',')
  const all = list.flatMap((host) => URL.parse(`${start}${host}${end}`) ?? [])
  const [first] = all
  if (first === undefined || all.length < list.length) return undefined
  const name = user === undefined ? '' : `${user}@`
  return { all, hosts, first, withoutPassword: `${scheme}${name}${hosts}${end}` }
}
