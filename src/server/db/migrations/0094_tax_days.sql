-- A tax applies on its days only; one tax code at a time is that of goods which name none.
alter table tax_code add column is_default boolean not null default false;
update tax_code set is_default = true where code = 'PPN04';
alter table tax_code add constraint tax_code_default_days exclude using gist (daterange(valid_from, valid_to, '[]') with &&) where (is_default);
