import { AUDIO } from './catalogue/audio.ts'
import { BATH } from './catalogue/bath.ts'
import { BOOKS } from './catalogue/books.ts'
import { CLOTHING } from './catalogue/clothing.ts'
import { FOOD } from './catalogue/food.ts'
import { GARDEN } from './catalogue/garden.ts'
import { KITCHEN } from './catalogue/kitchen.ts'
import { OFFICE } from './catalogue/office.ts'
import { OUTDOOR } from './catalogue/outdoor.ts'
import { TOYS } from './catalogue/toys.ts'
import { DEMO_CATEGORIES, type DemoCategory, type DemoProduct } from './rows.ts'
import { fillShelf, type ShelfLine } from './shelf.ts'

const SHELVES: Readonly<Record<DemoCategory, readonly ShelfLine[]>> = {
  kitchen: KITCHEN,
  garden: GARDEN,
  books: BOOKS,
  audio: AUDIO,
  toys: TOYS,
  outdoor: OUTDOOR,
  office: OFFICE,
  clothing: CLOTHING,
  bath: BATH,
  food: FOOD,
}

/** Every hand-written product of the demo shop, category by category, always in the same order. */
export const DEMO_PRODUCTS: readonly DemoProduct[] = DEMO_CATEGORIES.flatMap((category) =>
  fillShelf(category, SHELVES[category]),
)
