import { AUDIO_REVIEWS } from './reviews/audio.ts'
import { BATH_REVIEWS } from './reviews/bath.ts'
import { BOOKS_REVIEWS } from './reviews/books.ts'
import { CLOTHING_REVIEWS } from './reviews/clothing.ts'
import { FOOD_REVIEWS } from './reviews/food.ts'
import { GARDEN_REVIEWS } from './reviews/garden.ts'
import { KITCHEN_REVIEWS } from './reviews/kitchen.ts'
import { OFFICE_REVIEWS } from './reviews/office.ts'
import { OUTDOOR_REVIEWS } from './reviews/outdoor.ts'
import { TOYS_REVIEWS } from './reviews/toys.ts'
import type { WrittenReview } from './written-review.ts'

/** Every hand-written review of the demo shop, always in the same order. */
export const WRITTEN_REVIEWS: readonly WrittenReview[] = [
  ...KITCHEN_REVIEWS,
  ...GARDEN_REVIEWS,
  ...BOOKS_REVIEWS,
  ...AUDIO_REVIEWS,
  ...TOYS_REVIEWS,
  ...OUTDOOR_REVIEWS,
  ...OFFICE_REVIEWS,
  ...CLOTHING_REVIEWS,
  ...BATH_REVIEWS,
  ...FOOD_REVIEWS,
]
