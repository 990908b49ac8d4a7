/** What a caption is of. */
export type CaptionOf = 'figure' | 'table' | 'chart' | 'code' | 'algorithm' | 'formula'

export interface CaptionLabel {
  /** As printed: `Figure 3`, `Tab. 2.1`, `图3-1`. */
  readonly label: string
  readonly of: CaptionOf
  /** `3`, `2.1`, `S4`, `IV`, `3-1`. */
  readonly number: string
  /** The text after the label and its separator. */
  readonly rest: string
  /** No separator follows and the text goes on in lower case ("Figure 3 shows …"): a sentence about it rather than its caption. */
  readonly unsure?: true
}

/** Words that open captions, lower case, by what they name. Abbreviations are listed without their full stop. */
const words: Readonly<Record<CaptionOf, readonly string[]>> = {
  figure: [
    ...['figure', 'figures', 'fig', 'figs', 'plate', 'scheme', 'photo', 'photograph', 'image', 'illustration', 'exhibit', 'map', 'diagram', 'drawing'],
    ...['abbildung', 'abb', 'bild', 'schema', 'foto', 'karte', 'figura', 'ilustración', 'imagen', 'mapa', 'imagem', 'ilustração', 'immagine', 'illustrazione'],
    ...[
      'photographie',
      'carte',
      'planche',
      'afbeelding',
      'afb',
      'figuur',
      'figur',
      'kuva',
      'rysunek',
      'rys',
      'obrázek',
      'obr',
      'slika',
      'şekil',
      'resim',
      'hình',
    ],
    ...[
      'рисунок',
      'рис',
      'малюнок',
      'мал',
      'фиг',
      'εικόνα',
      'σχήμα',
      '图',
      '圖',
      '図',
      '附图',
      '插图',
      '그림',
      '사진',
      'شكل',
      'الشكل',
      'איור',
      'תרשים',
      'चित्र',
      'รูปที่',
      'ภาพที่',
    ],
  ],
  table: [
    ...['table', 'tables', 'tbl', 'tabelle', 'tabellen', 'tab', 'tableau', 'tabla', 'cuadro', 'tabela', 'quadro', 'tabella', 'tabel', 'tabell', 'taulukko'],
    ...[
      'tablica',
      'tabulka',
      'tablo',
      'çizelge',
      'bảng',
      'таблица',
      'табл',
      'таблиця',
      'πίνακας',
      '表',
      '附表',
      '표',
      'جدول',
      'الجدول',
      'טבלה',
      'तालिका',
      'ตารางที่',
    ],
  ],
  chart: ['chart', 'graph', 'graphic', 'diagramm', 'grafik', 'graphique', 'gráfico', 'grafico', 'gráfica', 'grafiek', 'график', 'диаграмма', '图表', 'グラフ'],
  code: ['listing', 'code', 'snippet', 'quelltext', 'quellcode', 'listado', 'листинг', 'リスト', '代码', '清单'],
  algorithm: ['algorithm', 'algorithmus', 'algorithme', 'algoritmo', 'алгоритм', '算法', 'アルゴリズム', '알고리즘'],
  formula: ['equation', 'eq', 'formula', 'gleichung', 'équation', 'ecuación', '公式', '式'],
}

const kinds = new Map<string, CaptionOf>(Object.entries(words).flatMap(([of, list]) => list.map((word) => [word, of as CaptionOf] as const)))

/** `3`, `2.1`, `3-1`, `S4`, `A.1`, `IV`, `12a`, `3(b)`; digits of any script. */
const numberPattern =
  /^(?:\p{Lu}{1,2}[.-]?\p{Nd}{1,3}|\p{Nd}{1,4}|[IVXLC]{1,7}(?![\p{L}]))(?:[.\-–‑—]\p{Nd}{1,3}(?!\p{Nd}))*(?:\p{Ll}(?![\p{L}]))?(?:\(\p{Ll}\))?/u
const separator = /^\s*(?:[.:：．。|]|[–—-](?=\s)|\))\s*/u
const prefixes = /^(?:supplementary|supplemental|supporting|extended\s+data|appendix|online)\s+/iu
const firstLetter = /^\p{L}/u

/**
 * The label that opens a caption, with its number, in the languages that documents come in.
 * Undefined for text that does not begin with one; a word without a number is no label.
 */
export function captionLabel(text: string): CaptionLabel | undefined {
  const line = text.trimStart()
  if (!firstLetter.test(line)) return undefined
  const prefix = prefixes.exec(line)?.[0] ?? ''
  const opening = openingWord(line.slice(prefix.length))
  if (!opening) return undefined
  const start = prefix.length + opening.length
  const number = numberPattern.exec(line.slice(start))?.[0]
  if (!number) return undefined
  const label = line.slice(0, start + number.length)
  const after = line.slice(label.length)
  const mark = separator.exec(after)?.[0]
  const rest = after.slice(mark?.length ?? 0).trimStart()
  // Running on without a blank, as in "Table2012" or "Tab 3D", is another word.
  if (mark === undefined && after !== '' && /^[\p{L}\p{N}]/u.test(after) && !/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(after))
    return undefined
  const unsure = mark === undefined && /^(?:\p{Ll}|[,;)]|의|は|に|を|所示|中)/u.test(rest)
  return { label, of: opening.of, number, rest, ...(unsure ? { unsure: true as const } : {}) }
}

/** The word at the start, its full stop and the blanks after it, when it is one that opens captions. Written with a capital where the script has them. */
function openingWord(line: string): { of: CaptionOf; length: number } | undefined {
  const word = /^\p{L}[\p{L}\p{M}]{0,19}/u.exec(line)?.[0] ?? ''
  const lower = word.toLowerCase()
  if (word === lower && word !== word.toUpperCase()) return undefined
  for (const candidate of candidates(lower)) {
    const of = kinds.get(candidate)
    if (!of) continue
    const gap = /^[.．]?\s*(?:№|No\.?|Nr\.?)?\s*/u.exec(line.slice(candidate.length))?.[0] ?? ''
    return { of, length: candidate.length + gap.length }
  }
  return undefined
}

/** The whole word; in scripts without blanks its beginnings too, since the number's word may touch what follows ("图A1", "表示"). */
function candidates(word: string): readonly string[] {
  if (word.charCodeAt(0) < 0x2e80) return [word]
  return [4, 3, 2, 1].filter((length) => length <= word.length).map((length) => word.slice(0, length))
}
