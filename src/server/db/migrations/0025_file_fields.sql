-- Files that a field of a record holds: UPLOAD until the record is saved, FIELD from then on.
alter table attachment drop constraint "attachment_purpose_check";
alter table attachment add constraint "attachment_purpose_check" check ("purpose" in ('DOCUMENT', 'PICTURE', 'PRIVATE', 'UPLOAD', 'FIELD'));

-- The company's mark at the head of its papers.
alter table company add column logo_id bigint references attachment;
create index company_logo_id_idx on company (logo_id);
