import { createContext } from 'preact'
import { useCallback, useContext, useEffect, useState } from 'preact/hooks'
import type { ApiDocument } from './document.ts'
import type { Body } from './json.ts'
import { type Answer, read } from './request.ts'

/** What every page may use. */
export interface Shop {
  readonly document: ApiDocument
  /** The links of the root, by name. */
  readonly entry: Body
  /** The signed-in user. */
  readonly profile: Body
}

/** The shop that the console shows. */
export const ShopContext = createContext<Shop | undefined>(undefined)

/** The shop that the console shows. Throws outside of it. */
export function useShop(): Shop {
  const shop = useContext(ShopContext)
  if (!shop) throw new Error('There is no shop above this component.')
  return shop
}

/** What is known about a resource that is read. */
export interface Reading {
  readonly answer: Answer | undefined
  readonly error: unknown
  readonly isLoading: boolean
  /** Reads the resource again; resolves when it is shown. */
  readonly reload: () => Promise<void>
}

/** Reads a resource while the component is shown; nothing is read without an address. */
export function useReading(href: string | undefined): Reading {
  const [state, setState] = useState<{
    readonly href?: string | undefined
    readonly answer?: Answer
    readonly error?: unknown
  }>({})
  const load = useCallback(
    async (isCurrent: () => boolean) => {
      if (href === undefined) return
      try {
        const answer = await read(href)
        if (isCurrent()) setState({ href, answer })
      } catch (error) {
        if (isCurrent()) setState({ href, error })
      }
    },
    [href],
  )
  useEffect(() => {
    let isShown = true
    void load(() => isShown)
    return () => {
      isShown = false
    }
  }, [load])
  // What was read for another address is not shown under this one.
  const isCurrent = state.href === href
  return {
    answer: isCurrent ? state.answer : undefined,
    error: isCurrent ? state.error : undefined,
    isLoading: href !== undefined && !isCurrent,
    reload: () => load(() => true),
  }
}
