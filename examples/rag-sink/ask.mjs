// The passages that answer a question best, each with where it stands.

/** Any word of the question may match; more, closer and in headings ranks higher. */
const best = `
  with question as (select replace(plainto_tsquery('english', $1)::text, '&', '|')::tsquery as words)
  select document_id, headings, text, places, ts_rank_cd(search, words) as rank
  from chunks, question where search @@ words order by rank desc, id limit $2`

/** Passages with their citations: 1-based pages, boxes as fractions of the page from its top left. */
export async function ask(db, question, limit = 3) {
  const { rows } = await db.query(best, [question, limit])
  return rows.map(({ document_id: documentId, headings, text, places }) => ({
    documentId,
    headings,
    text,
    citations: places.map(({ page, box }) => ({ pageNumber: page + 1, box })),
  }))
}

/** As lines for a terminal. */
export function print({ documentId, headings, text, citations }) {
  const cited = citations.map(({ pageNumber, box }) => `page ${pageNumber}, box ${box.map((side) => side.toFixed(3)).join(' ')}`)
  return [headings, text, ...cited.map((place) => `  [${documentId.slice(0, 12)}, ${place}]`)].filter(Boolean).join('\n')
}
