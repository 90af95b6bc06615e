import type { WrittenReview } from '#src/demo/written-review.ts'

/** Reviews of the kitchen shelf. */
export const KITCHEN_REVIEWS: readonly WrittenReview[] = [
  [
    'KIT-SKILLET-26',
    5,
    'Replaced three pans',
    'Eggs slide after about two weeks of regular use.',
    'I gave my non-stick pans away and have not missed them.',
  ],
  [
    'KIT-SKILLET-26',
    4,
    'Great pan, patience required',
    'The factory seasoning is thin and mine went patchy with the first tomato sauce.',
    'Two rounds of oil in the oven fixed it.',
  ],
  [
    'KIT-SKILLET-26',
    2,
    'Rusted on me',
    'My flatmate left it to soak overnight and it came out orange. Beautiful, but not for us.',
  ],
  [
    'KIT-DUTCH-5L',
    5,
    'Sunday stew machine',
    'Even heat, no scorching, and the lid keeps everything in. I bake bread in it as well.',
  ],
  [
    'KIT-CHEF-20',
    5,
    'The only knife I reach for',
    'Came properly sharp and stayed that way for months with a quick strop.',
  ],
  [
    'KIT-CHEF-20',
    4,
    'Lovely, a bit handle-heavy',
    'Superb edge. The balance sits further back than I am used to, but I got over it.',
  ],
  [
    'KIT-BOARD-OAK',
    4,
    'Handsome and heavy',
    'It does not move at all. Just measure your sink first: mine is too small to rinse it.',
  ],
  [
    'KIT-MOKA-6',
    5,
    "Coffee like at my aunt's",
    'Seals well, pours without dribbling and the handle stays cool.',
  ],
  [
    'KIT-GRINDER',
    3,
    'Good grind, slow going',
    'Consistent for pour-over, but an espresso dose takes me two full minutes of cranking.',
  ],
  [
    'KIT-SCALE',
    5,
    'The pull-out display is the trick',
    'Finally I can read the number with a big bowl on top.',
  ],
  [
    'KIT-PIN',
    5,
    'Simple and right',
    'Better control than any pin with handles. My pastry is noticeably more even.',
  ],
  ['KIT-PEELER', 5, 'Bought four', 'Cheap, sharp, and now everybody in the family has one.'],
  [
    'KIT-TOWELS-3',
    4,
    'Softer after five washes',
    'Stiff as card at first. Now they are the only ones I use for glasses.',
  ],
  [
    'KIT-PLATES-DIN',
    3,
    'Pretty, but one arrived chipped',
    'The glaze is gorgeous. One rim had a chip and the replacement took nine days.',
  ],
  [
    'KIT-MUGS-2',
    5,
    'Good in the hand',
    'Thin lip, big handle, no wobble. Ordering another pair for work.',
  ],
]
