-- Whoever may no longer open a report he is sent is left out; its owner and he are told once.
alter table report_schedule_recipient add column is_left_out boolean not null default false;
