/**
 * Characters that must not reach the output: controls, the marks of bidirectional and zero-width formatting
 * that only steer display (and can hide text), non-characters, lone surrogates; and presentation forms
 * (ligatures, Arabic letter shapes) that searches would miss. Joiners of Indic and Persian writing stay.
 */
const suspicious = /[\u0000-\u001f\u007f-\u00a0\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufb00-\ufdff\ufe70-\ufeff\ufff9-\uffff\ud800-\udfff]/

const formatting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff]/gu
const blanks = /[\t\n\u00a0\u2028\u2029]+/gu
const presentationForms = /[\ufb00-\ufb4f\ufb50-\ufdff\ufe70-\ufefc]+/gu
const loneSurrogates = /\p{Surrogate}/gu
const innerSoftHyphens = /\u00ad(?=.)/gu

/** Printed text in plain letters. A soft hyphen stays only at the very end, where it joins two lines. */
export function cleanText(text: string): string {
  if (!suspicious.test(text)) return text
  return text
    .replace(formatting, '')
    .replace(blanks, ' ')
    .replace(presentationForms, (letters) => letters.normalize('NFKC'))
    .replace(loneSurrogates, '\ufffd')
    .replace(innerSoftHyphens, '')
}
