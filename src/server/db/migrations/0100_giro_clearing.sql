-- A giro says which day the bank paid it.
alter table ar_payment add column clearing_date date;
update ar_payment p set clearing_date = j.posting_date
from journal j where j.source_doc_type = 'ar_payment' and j.source_doc_id = p.id and j.source_event = 'GIRO_CLEAR' and j.status = 'POSTED' and j.reversal_of_id is null;
