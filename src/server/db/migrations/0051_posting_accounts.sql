-- Which accounts a deposit and an unassigned credit note are booked to is said by posting rules, no longer by the program. A money account
-- finance has named for deposits holds for both kinds.
insert into posting_rule (event, line_no, amount_key, side, account_selector, account_id, selector)
select r.event, 3, 'cash', 'D', '111102', coalesce(r.account_id, (select id from account where code = '111102')), '{}'
from posting_rule r where r.event = 'DEP_RECV' and r.line_no = 1 and r.priority = 0;
update posting_rule set amount_key = 'money', account_selector = '111302', account_id = coalesce(account_id, (select id from account where code = '111302'))
where event = 'DEP_RECV' and line_no = 1;

insert into posting_rule (event, line_no, amount_key, side, account_selector, account_id, selector)
select 'CN_MANUAL', 4, 'unassigned', 'D', '414101', (select id from account where code = '414101'), '{}'
where exists (select 1 from posting_rule where event = 'CN_MANUAL');
