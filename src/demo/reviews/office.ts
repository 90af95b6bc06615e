import type { WrittenReview } from '#src/demo/written-review.ts'

/** Reviews of the office shelf. */
export const OFFICE_REVIEWS: readonly WrittenReview[] = [
  [
    'OFF-NOTE-A5',
    5,
    'No bleed, no feathering',
    'My wettest pen behaves on this paper. Numbered pages are a blessing.',
  ],
  [
    'OFF-NOTE-A5',
    4,
    'Fourth one filled',
    'Still the best paper at this price. The elastic goes slack after a year.',
  ],
  ['OFF-PLANNER', 5, 'Quiet and useful', 'Thank you for leaving out the quotes.'],
  [
    'OFF-FOUNTAIN',
    5,
    'Writes from the first stroke',
    'A touch of feedback, no skipping, and the brass is ageing beautifully.',
  ],
  [
    'OFF-FOUNTAIN',
    3,
    'Too heavy for long letters',
    'A handsome pen with a good nib, but my hand is tired after a page.',
  ],
  [
    'OFF-ROLLER',
    4,
    'Slim and sturdy',
    'Takes my favourite refill. The clip could be a little tighter.',
  ],
  [
    'OFF-PENCIL-12',
    5,
    'Smell like school',
    'Dark line, hardly any smudging, and they sharpen to a proper point.',
  ],
  ['OFF-INK', 5, 'A blue with moods', 'Goes on slate and dries like the sea in March.'],
  ['OFF-SCISSORS', 4, 'Really for either hand', 'I am left-handed and did not swear once.'],
  [
    'OFF-LAMP',
    5,
    'Stays put',
    'No drooping after six months, and the dimmest setting is lovely in the evening.',
  ],
  [
    'OFF-LAMP',
    2,
    'Hums when dimmed',
    'Full brightness is fine. Anything below half and I can hear it across the desk.',
  ],
  [
    'OFF-DESKMAT',
    4,
    'Warm wrists',
    'Looks good and quiets the keyboard. It does collect cat hair.',
  ],
  [
    'OFF-KEYBOARD',
    5,
    'A joy to type on',
    'Crisp without waking the house. The layout took me a day.',
  ],
  [
    'OFF-CHAIR',
    5,
    'My back is better',
    'Seat depth was the thing I had been missing. Assembly took twenty minutes.',
  ],
  [
    'OFF-CHAIR',
    3,
    'Good chair, bad instructions',
    'Comfortable, but the manual shows a different armrest. Guesswork and a spare bolt.',
  ],
]
