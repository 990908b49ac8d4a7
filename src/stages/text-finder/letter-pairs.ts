/**
 * The most frequent pairs of letters of European languages in Latin script, diacritics removed.
 * A text in any of them finds well over half of its pairs here, chance and ciphers find a fifth.
 * Source: common knowledge of letter statistics, one line a language (English, German, French, Spanish, Portuguese,
 * Italian, Dutch, Latin, Swedish, Danish, Polish, Czech, Turkish, Finnish, Hungarian, Indonesian).
 */
const frequentPairs = [
  'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur',
  'er en ch de ei te in nd ie ge st ne be es un re an he au ng se it di ic sc da li ns sie la el ht ah al is',
  'es en de re nt le on er ai te la me ou an se et qu ne it eu ur ar ti ns is il pa po ui em pr om',
  'de es en el la os ar ue ra re er as on st ad al or ta co ci io an do ro nt te se no',
  'os de ra es as do ar en ao co er re te da nt ta qu se to em ma st',
  'er on re an ti di en to la ra te in no co at le ta al li ri el ne io nt ar it',
  'en de er et an ge te ee in va aa el he ij st nd oo ve re ar or va is',
  'um us is em it er nt ae am qu ti ur re tu ra in en at li es or ru se',
  'en de an er ar et tt st ra om sk ta at ng va ka de ll ti fo',
  'er en de et ge re te sk nd in an fo ti or ne ke ve eg',
  'ie ni cz sz rz na ow st wi po za pr dz ra ch ia zy ko to wa',
  'st ni ne po pr na je te ov ro en ra ho to va ko ce la',
  'ar la an er in le de en da ka ra ya li ir ri ek ak iy',
  'en in ta is ss aa tt ll ai st te ka ii si uu an va ks',
  'el en sz es le et eg gy az er al te ek me an ta ol',
  'an ng me en ka er di ah pe da ya ra ta ke la ar in',
]

export const commonPairs: ReadonlySet<string> = new Set(frequentPairs.flatMap((line) => line.split(' ')).filter((pair) => pair.length === 2))
