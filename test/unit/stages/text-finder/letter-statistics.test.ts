import { describe, expect, it } from 'vitest'
import { findShift, isUnlikely, letterStatistics } from '../../../../src/stages/text-finder/letter-statistics.ts'

const samples = {
  English:
    'Information about pretraining corpora used to train the current best performing language models is seldom discussed and commercial models rarely detail their data',
  German: 'Durch diese Abbildung wird die Menge zu einer Gruppe und heißt dann Fundamentalgruppe im gewählten Basispunkt der betrachteten Fläche',
  French: 'Les langues de travail sont choisies par les membres de la commission qui se réunit une fois chaque année dans la capitale',
  Spanish: 'Las condiciones generales del contrato serán publicadas durante el primer trimestre por la autoridad competente',
  Polish: 'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności oraz swych praw są obdarzeni rozumem i sumieniem',
  Finnish: 'Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan sekä oikeuksiltaan heille on annettu järki ja omatunto',
  Turkish: 'Bütün insanlar hür haysiyet ve haklar bakımından eşit doğarlar akıl ve vicdana sahiptirler birbirlerine karşı kardeşlik',
  Latin: 'Lorem ipsum dolor amet consectetur adipiscing elit nunc sollicitudin phasellus ornare quis diam vestibulum',
} as const
const shifted = (text: string, by: number): string[] =>
  text.split(' ').map((word) => Array.from(word, (c) => String.fromCharCode(c.charCodeAt(0) + by)).join(''))

describe('letter statistics', () => {
  it.each(Object.entries(samples))('find %s likely, and no shift in it', (_, text) => {
    const words = text.split(' ')
    expect(isUnlikely(letterStatistics(words))).toBe(false)
    expect(findShift(words)).toBe(0)
  })

  it.each([1, -1, 3, -29, 29, -31])('find letters that were shifted by %i', (by) => {
    expect(findShift(shifted(samples.English, by))).toBe(by)
    expect(findShift(shifted(samples.German.replace(/[^\x20-\x7e]/g, ''), by))).toBe(by)
  })

  it('find chance letters unlikely', () => {
    const chance = 'qzkvx bnqwj xkcdv mzqpf wvkjb zxqgh tfkqz pvwxj hqkzr gbxnq vvkqj xzwrt kjqpz'
    expect(isUnlikely(letterStatistics(chance.split(' ')))).toBe(true)
  })

  it('say nothing about codes, numbers, rows of dots and a few words', () => {
    for (const text of ['R1 1a CC SVR HQ729711 52.6 TT CT', 'Content ............................ 2', 'Version 3', '•']) {
      expect(isUnlikely(letterStatistics(text.split(' ')))).toBe(false)
      expect(findShift(text.split(' '))).toBe(0)
    }
  })
})
