-- How often what is to be done with a file was begun and not ended.
alter table import_batch add column tries integer not null default 0;
