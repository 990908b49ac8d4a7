// The words of paper.pdf: a made-up study of a made-up harbour. Marks as in typesetter.mjs.

export const title = 'Quiet Tide Pumps: One Year of Lifting Fresh Water in a Harbour Without a Grid'
export const runningTitle = 'Quiet Tide Pumps'
export const authors = 'Ines Halloran, Tomasz Wrede and Akua Sarpong'
export const affiliation = 'Merrow Quay Workshop for Small Water Works'

export const abstract =
  'Small harbours often have salt water in abun|dance and fresh water a hundred steps up|hill. We describe a pump that is driven by the tide alone, makes less noise than a conver|sation, and can be re|paired with the tools of a boat yard. One such pump has lifted water from a spring cistern to the village tank of Merrow Quay for a full year. It deliv|ered 11.4 cubic metres on an average day, stood still for nine days, and cost less to keep than the diesel set that it re|placed. We report what was measured, what broke, and how to size a pump for another place.'

const h1 = (text) => ({ kind: 'heading', level: 1, text })
const h2 = (text) => ({ kind: 'heading', level: 2, text })
const p = (text) => ({ kind: 'paragraph', text })
const bullets = (...items) => ({ kind: 'list', items: items.map((text) => ({ marker: '•', text })) })
const numbered = (...items) => ({ kind: 'list', items: items.map((text, i) => ({ marker: `${i + 1}.`, text })) })

export const body = [
  h1('1 Introduction'),
  p(
    'Merrow Quay is a harbour of forty houses at the end of a long inlet. Its spring rises behind the boat sheds, its tank stands on the hill above the chapel, and between the two lie twenty-three metres of height. For thirty years a diesel set lifted the water. It was loud, it smelled, and every second winter a part of it had to be flown in.',
  ),
  p(
    'The inlet has one thing in plenty: a tide with a mean range of 3.8 metres that comes twice a day and has never been late. The idea of using it is old. Tide mills ground flour on many coasts in the Middle Ages, and their ponds can still be seen [1]. What is new is that a small machine can now be made so tight and so smooth that it works with a few metres of head and needs no pond at all.',
  ),
  p(
    'This paper reports on the first year of such a machine. It is written for people who look after the water of a small place and want to know whether a tide pump would serve them. [Section 2](#sec-2) describes the machine, [Section 3](#sec-3) how we measured, [Section 4](#sec-4) what we found. All daily readings are listed in [Table 3](#table-3).^1^',
  ),
  { kind: 'footnote', text: '^1^ The readings and the drawings are free to use and can be had from the workshop.' },
  h1('2 The Machine'),
  h2('2.1 Working Principle'),
  p(
    'A float of welded steel rides in a concrete well that is open to the sea at its foot. As the tide rises the float lifts a counter|weight of 64 tonnes; as the tide falls the weight comes down and drives the pump through a gear train. The work of one tide is therefore done in one slow stroke that lasts about five hours. Nothing in the machine moves faster than a clock hand, which is why it makes no noise.',
  ),
  p(
    'The pump itself is a plunger with leather seals, a form that has been in use for two centuries [2]. It takes water from the spring cistern through a strainer and pushes it up a plastic main of 63 millimetres. A pressure vessel evens out the stroke.',
  ),
  h2('2.2 Efficiency'),
  p('The share of the work of the tide that arrives in the tank as lifted water is'),
  { kind: 'formula', number: '(1)' },
  p(
    'where _d_ is the density of water, _V_ the volume lifted in one tide, _h_ the height of the tank above the cistern, _m_ the mass of the counter|weight and _s_ its stroke. The measure leaves out friction in the main, which we found to be small.',
    { flush: true },
  ),
  h2('2.3 Parts and Materials'),
  p('Three rules guided every choice of material, in this order:'),
  numbered(
    'It must be possible to replace the part within one day, with tools that are already in the boat yard.',
    'The part must warn before it fails: it drips, it creaks or it wears visibly.',
    'No part may weigh more than two people can carry, the counter|weight blocks included.',
  ),
  p('[Table 1](#table-1) lists the main parts. Stainless steel was used below the waterline only where zinc would not last.'),
  { kind: 'parts-table' },
  h1('3 Method'),
  h2('3.1 Instruments'),
  p(
    'A float gauge in the well gave the height of the sea every minute, a turbine meter in the main the volume lifted, and a load cell under the gear train the force of the counter|weight. The three were read by a small logger with a solar panel. Once a week a member of the harbour board read the mechanical counter of the turbine meter by hand; the two never differed by more than one part in three hundred.',
  ),
  p(
    'Noise was measured, as others have done [3], on four evenings with a hand|held meter, two metres from the open door of the pump house and again at the nearest bedroom window. Costs were taken from the books of the harbour board [4]. We count the hours of volun|teers at the same rate as those of the boat yard, so that a pump that needs much unpaid care does not look cheap.',
  ),
  h2('3.2 Lost Days'),
  p(
    'A day counts as lost when less than half of the volume that its tides should have lifted arrived in the tank. We noted the cause of every lost day in one of four classes:',
  ),
  bullets(
    'the machine itself, such as a worn seal or a jammed strainer;',
    'the sea, when ice or drift|wood kept the float from moving freely;',
    'work that had been planned, such as the yearly change of the leathers;',
    'people, when somebody had closed a valve and forgotten it.',
  ),
  p(
    'The classes were agreed upon before the first day of the study, and two of us sorted every case without knowing what the other had written. We differed once, on a day when a volunteer had cleaned the strainer and put it back the wrong way round.',
  ),
  h1('4 Results'),
  h2('4.1 Water Lifted'),
  p(
    'Over the year the pump lifted 4,168 cubic metres. [Figure 1](#figure-1) shows the daily volume by month beside the mean range of the tide. The two rise and fall to|gether, as they should; the dip in February is the change of the leathers, and the one in November is a week in which a tree trunk lay in the mouth of the well.',
  ),
  p(
    'The efficiency by Equation 1 was 0.61 in the first month and 0.58 in the last. Most of the loss is in the gear train. We expected the leather seals to wear faster than they did: after four hundred tides they had lost less than a millimetre, and the first set was still dry when it was taken out.',
  ),
  { kind: 'picture' },
  h2('4.2 Noise and Cost'),
  p(
    'At two metres from the open door the pump is at 38 decibels, at the nearest window it could not be told from the wind. [Table 2](#table-2) sets the yearly cost beside that of the diesel set. The pump house, shown in [Figure 2](#figure-2), is counted with a life of forty years, the machine with twenty.',
  ),
  { kind: 'cost-table' },
  p(
    'Volunteers gave 61 hours in the year, most of them in the first two months. The largest single item was the diver who cleared the tree trunk. No part had to be brought from outside the inlet.',
  ),
  h2('4.3 What Broke'),
  p(
    'The machine stood still for nine days: three for the planned change of seals, four for the tree trunk, one for a jammed strainer and one for a closed valve. A pin in the gear train sheared in June, as it is meant to when the float is caught, and was replaced within the hour from a box of spare pins. The solar panel of the logger was stolen by a gull, or so the harbour board holds; twenty-six hours of readings by the minute are missing, and the weekly counter fills the gap.',
  ),
  h1('5 Sizing a Pump for Another Place'),
  p(
    'Three numbers decide whether a tide pump suits a place: the mean range of the tide, the height of the tank above the source, and the volume that the place uses in a day. With the efficiency that we measured, a counter|weight of one tonne lifts about 0.2 cubic metres by ten metres in each tide of 3.8 metres. A place with half that range needs twice the weight, and below two metres of range the well becomes so wide that a wind pump is the better choice.',
  ),
  p(
    'The tank should hold the use of five days. Neap tides come every fortnight and bring little more than half the work of spring tides; a tank of that size carries the village over them without anybody noticing. We advise against a pond or a second float: both cost more than a larger tank, and both silt up.',
  ),
  h2('5.1 The Well'),
  p(
    'The well is the dear part. Ours is a ring of concrete segments, nine metres across, set on rock and closed with a lid. It must be deep enough that the float never touches ground at the lowest water of the year, and its mouth must be small: an opening of a twentieth of its area lets the tide in without delay and keeps the swell out. Where the shore is sand we would drive sheet piles instead, and count with half as much again for the building.',
  ),
  p(
    'A well that is already there can often be used. Of the eleven harbours that we visited, four had a disused ice|house, a sluice or the shaft of a tide gauge that would have served with little change.',
  ),
  h2('5.2 A Worked Example'),
  p(
    'Let a village of twenty houses use five cubic metres a day, with its tank thirty metres above the spring and a mean range of three metres. Two tides a day must then lift 2.5 cubic metres each. By Equation 1, with an efficiency of 0.58 and a stroke equal to nine tenths of the range, the counter|weight has to be 48 tonnes. With blocks of forty kilo|grams, that is twelve hundred blocks, which four people can stack in a week.',
  ),
  p(
    'We add a reserve of a quarter for neap tides that fall into a dry spell, and arrive at sixty tonnes. The float must displace as much as it carries and its own weight besides; a cylinder of 7.2 metres across and two metres tall will do.',
  ),
  h1('6 Limits of This Study'),
  p(
    'One pump in one place for one year is a small sample. The winter was mild, and ice lay in the inlet for two days only. The people who kept the pump had built it; others may need more hours for the same care. The efficiency fell by three hundredths over the year, and we do not yet know whether it will go on falling or level off once the teeth of the gear train have worn in. We will report again after the fifth year.',
  ),
  h1('7 Conclusion'),
  p(
    'A tide pump of simple make has served a village of forty houses for a year, quietly and at about two fifths of the cost of the diesel set before it. It asks for a well, a heavy weight and patience. Where the range of the tide is above three metres and the tank is within fifty metres of height, we would build it again.',
  ),
  h1('Thanks'),
  p(
    'We thank the harbour board of Merrow Quay for its trust, the boat yard for its lathe, and the pupils of the chapel school, who named the float. The drawings are kept at [the workshop](https://example.org/merrow-quay/tide-pump).',
  ),
  h1('References'),
  {
    kind: 'list',
    hanging: 18,
    items: [
      { marker: '[1]', text: 'B. Okafor and L. Lindqvist. Tide mills and their ponds: a survey. _Annals of Small Machines_, 12(3):201–219, 2011.' },
      { marker: '[2]', text: 'M. Tanaka. Leather seals in slow plungers. _Workshop Letters_, 4:17–23, 2018.' },
      { marker: '[3]', text: 'P. Arnason. What a quiet pump is worth. In _Proceedings of the Meeting on Island Water_, pages 88–97, 2021.' },
      { marker: '[4]', text: 'Harbour Board of Merrow Quay. _Books of the Water Works_, volumes 30 to 34. Merrow Quay, 2025.' },
    ],
  },
]

export const partsTable = {
  id: 'table-1',
  caption: '**Table 1.** Main parts of the machine.',
  header: ['Part', 'Material', 'Mass (kg)', 'Life (a)'],
  rows: [
    ['Float', 'Steel, zinc coated', '9,800', '20'],
    ['Counterweight', 'Granite in cages', '64,000', '100'],
    ['Gear train', 'Cast iron, bronze', '3,100', '40'],
    ['Plunger', 'Bronze', '46', '40'],
    ['Seals', 'Leather', '0.4', '2'],
  ],
}

export const costTable = {
  id: 'table-2',
  caption: '**Table 2.** Yearly cost, in hours of work at the rate of the boat yard.',
  header: ['', 'Diesel', 'Tide'],
  rows: [
    ['Building and machine', '38', '71'],
    ['Fuel and oil', '212', '2'],
    ['Repairs', '57', '24'],
    ['Care by volunteers', '96', '61'],
    ['Total', '403', '158'],
  ],
}

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']
/** Mean range in metres, cubic metres a day, lost days, month by month. They add up to what the text says: 4,168 cubic metres, nine days. */
export const monthly = {
  range: [3.9, 3.8, 4.1, 4.0, 3.7, 3.5, 3.5, 3.8, 4.2, 4.1, 3.7, 3.6],
  perDay: [11.8, 10.2, 12.6, 12.3, 11.4, 10.6, 10.8, 11.7, 12.9, 12.5, 9.3, 10.8],
  lost: [0, 3, 0, 0, 0, 1, 0, 0, 0, 1, 4, 0],
}

/** Two rows a month: its spring and its neap tides. */
export const readings = {
  id: 'table-3',
  caption: '**Table 3.** Readings by month and kind of tide. Volumes are means of a day.',
  continued: '**Table 3** (continued).',
  header: ['Month', 'Tide', 'Range (m)', 'Volume (m³)', 'Efficiency', 'Lost days'],
  rows: months.flatMap((month, i) => [
    [month, 'spring', (monthly.range[i] * 1.26).toFixed(2), (monthly.perDay[i] * 1.24).toFixed(1), (0.614 - i * 0.003).toFixed(3), String(monthly.lost[i])],
    [month, 'neap', (monthly.range[i] * 0.74).toFixed(2), (monthly.perDay[i] * 0.76).toFixed(1), (0.601 - i * 0.003).toFixed(3), '0'],
  ]),
}

export const chart = { id: 'figure-1', caption: '**Figure 1.** Water lifted on an average day (bars) and mean range of the tide (line), by month.', months }
export const picture = { id: 'figure-2', caption: '**Figure 2.** The pump house at low water, seen from the pier.' }
