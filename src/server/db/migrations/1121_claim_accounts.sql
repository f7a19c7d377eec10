-- The type of a claim says which account it is booked on; what finance has chosen instead stays.
update posting_rule r set account_selector = 'LINE', account_id = null
where r.event in ('CN_CLAIM', 'TCN_CONVERT') and r.amount_key in ('company', 'principal') and (r.account_id is null or r.account_id in (select id from account where code in ('611102', '112202')));

-- What is refused of a temporary credit note stands again as a debit memo.
update posting_rule set amount_key = 'claim' where event = 'TCN_REFUSE' and line_no = 2;
alter table cn_temporary add column debit_memo_id bigint references invoice;
alter table invoice add column cn_temporary_id bigint references cn_temporary;
create index cn_temporary_debit_memo_id_idx on cn_temporary (debit_memo_id);
create index invoice_cn_temporary_id_idx on invoice (cn_temporary_id);
