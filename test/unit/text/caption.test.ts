import { describe, expect, it } from 'vitest'
import { captionLabel } from '../../../src/text/caption.ts'

describe('captionLabel', () => {
  it.each([
    ['Figure 3: The chain', 'Figure 3', 'figure', '3', 'The chain'],
    ['Fig. 2.1. Results', 'Fig. 2.1', 'figure', '2.1', 'Results'],
    ['FIG. 4', 'FIG. 4', 'figure', '4', ''],
    ['Table IV', 'Table IV', 'table', 'IV', ''],
    ['Table A.1 – Costs', 'Table A.1', 'table', 'A.1', 'Costs'],
    ['Supplementary Table S4. Genes', 'Supplementary Table S4', 'table', 'S4', 'Genes'],
    ['Abb. 7: Übersicht', 'Abb. 7', 'figure', '7', 'Übersicht'],
    ['Tabelle 2 Kosten', 'Tabelle 2', 'table', '2', 'Kosten'],
    ['Tableau 3 : Coûts', 'Tableau 3', 'table', '3', 'Coûts'],
    ['Figura 5. Mapa', 'Figura 5', 'figure', '5', 'Mapa'],
    ['Chart 1: Growth', 'Chart 1', 'chart', '1', 'Growth'],
    ['Listing 2. Code', 'Listing 2', 'code', '2', 'Code'],
    ['Algorithm 1 Search', 'Algorithm 1', 'algorithm', '1', 'Search'],
    ['图3-1 系统结构', '图3-1', 'figure', '3-1', '系统结构'],
    ['表 2：结果', '表 2', 'table', '2', '结果'],
    ['図1　構成', '図1', 'figure', '1', '構成'],
    ['그림 2. 구조', '그림 2', 'figure', '2', '구조'],
    ['Рис. 5. Схема', 'Рис. 5', 'figure', '5', 'Схема'],
    ['جدول ٢: النتائج', 'جدول ٢', 'table', '٢', 'النتائج'],
    ['Figure 3(b): Detail', 'Figure 3(b)', 'figure', '3(b)', 'Detail'],
  ])('reads %j', (text, label, of, number, rest) => {
    expect(captionLabel(text)).toEqual({ label, of, number, rest })
  })

  it.each(['figure 3 is lower case', 'Figures show', 'Table of contents', 'Mapping 3', 'Tab 3D', 'Figure', '', '3 Figure', 'Table2a3'])(
    'sees none in %j',
    (text) => {
      expect(captionLabel(text)).toBeUndefined()
    },
  )

  it('doubts a sentence about a figure', () => {
    expect(captionLabel('Figure 3 shows the chain')?.unsure).toBe(true)
    expect(captionLabel('图3所示的系统')?.unsure).toBe(true)
  })
})
