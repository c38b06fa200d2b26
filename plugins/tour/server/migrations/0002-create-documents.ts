import type { Migration } from '#core/server';

/** Documents of a site with their revisions, and the tags that they describe. */
export const createDocuments: Migration = {
  id: 'tour-0002-create-documents',
  up: `
    alter table code drop constraint code_kind_check;
    alter table code add constraint code_kind_check check (kind in ('TOUR', 'DECK', 'NODE', 'TAG', 'DOCUMENT'));

    create table document (
      uid text primary key,
      site text not null,
      code text not null,
      title text not null,
      location text not null,
      unique (site, code)
    );
    create index document_location on document (location);

    create table document_revision (
      document text not null references document on delete cascade,
      revision text not null,
      status text not null check (status ~ '^(S[0-7]|A[1-9][0-9]?|B[1-9][0-9]?|CR)$'),
      issued_on date not null,
      file text not null,
      primary key (document, revision)
    );

    create table document_link (
      document text not null references document on delete cascade,
      tag text not null references tag on delete cascade,
      primary key (tag, document)
    );
    create index document_link_document on document_link (document);
  `,
};
