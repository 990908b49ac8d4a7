create table if not exists chunks (
  id text primary key,
  document_id text not null,
  headings text not null,
  text text not null,
  pages int[] not null,
  places jsonb not null,
  record_offset bigint not null,
  search tsvector generated always as (
    setweight(to_tsvector('english', headings), 'A') || setweight(to_tsvector('english', text), 'B')
  ) stored
);
create index if not exists chunks_search on chunks using gin (search);
create index if not exists chunks_document on chunks (document_id);
