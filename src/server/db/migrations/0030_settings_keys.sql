-- A posting rule is known by its event, line, side, amount and priority: two of them would leave open which one counts.
alter table posting_rule add constraint "posting_rule_event_line_no_side_amount_key_priority_key" unique nulls not distinct (event, line_no, side, amount_key, priority);
