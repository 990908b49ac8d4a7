// The words of the pages that are scanned, photographed or broken.

const title = (text) => ({ look: 'title', text })
const heading = (text) => ({ look: 'heading', text })
const text = (words) => ({ look: 'text', text: words })
const items = (...list) => list.map((words, index) => ({ look: 'item', text: words, marker: `${index + 1}.` }))

/** scan.pdf */
export const letter = [
  text('Harbour Board of Merrow Quay'),
  text('14 March 2025'),
  title('Yearly Inspection of the Tide Pump'),
  text('Dear Ms Halloran,'),
  text(
    'on Tuesday we inspected the pump house and the well, as we do every spring. The machine was stopped at high water and the lid of the well was lifted with the crane of the boat yard. We are glad to say that everything was found in good order.',
  ),
  heading('What we found'),
  text(
    'The float has lost a little of its zinc on the side that faces the mouth of the well. The leather seals are dry. The teeth of the gear train shine evenly on their whole width, which tells us that the shafts are still true.',
  ),
  heading('What we ask you to do'),
  ...items(
    'Paint the float above the waterline before the end of May.',
    'Order four spare pins for the gear train; only two are left in the box.',
    'Mark the valve of the main, so that nobody closes it again by mistake.',
  ),
  text('The next inspection is due in March 2026. Please keep the well free of driftwood until then.'),
  text('With kind regards'),
  text('Edda Thorsen, chair of the board'),
]

/** photo.jpg */
export const notice = [
  title('Notice to All Boats'),
  text(
    'The well of the tide pump will be opened on Saturday, 8 June. From six in the morning until noon no boat may pass the end of the pier, and the tap at the slipway will run dry.',
  ),
  heading('Please remember'),
  ...items('Fill your tanks on Friday evening.', 'Move boats from berths 1 to 6 to the outer wall.', 'Keep children away from the open well.'),
  text('Hot soup will be served in the boat shed to everybody who comes to help. The harbour master can be reached by radio on channel 12.'),
  text('Edda Thorsen, Harbour Board'),
]

/** garbage-text-layer.pdf */
export const minutes = [
  title('Minutes of the Harbour Board'),
  text('Meeting of 2 October 2025 in the boat shed. Present were all five members and nineteen guests.'),
  heading('1. Water'),
  text(
    'The tank was full on every day of September. The board thanks the volunteers who cleared the strainer after the storm. It was agreed that the second set of leather seals shall be ordered now, while the tanner still has oxhide of the right thickness.',
  ),
  heading('2. The outer wall'),
  text(
    'Two stones have moved in the swell of last winter. The mason offers to set them back for the price of eleven days of work. The board accepts the offer and asks that it be done before the first frost.',
  ),
  heading('3. Any other matter'),
  text(
    'A guest asked whether the noise of the old diesel set might be missed by anybody. Nobody present could think of a name. The meeting was closed at half past eight.',
  ),
]
